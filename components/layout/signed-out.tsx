"use client";

import { Modal } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { setAccess, useAccess } from "@/components/trpc/access";
import { useTRPC } from "@/components/trpc/client";
import { later } from "@/components/ui/later";
import { tryAgainEverywhere } from "@/components/ui/try-again";
import { useMe } from "./use-me";

// Loaded when the session has ended.
const SignInForm = later(() => import("@/components/auth/sign-in-form").then((it) => it.SignInForm));

/**
 * The session has ended under an open page: asks for the password on top of it, so that nothing typed is lost. It can be
 * put aside, to copy something; a bar stays that leads back to it.
 */
export function SignedOut() {
  const isOut = useAccess() === "signed-out";
  const { user } = useMe();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isAside, setIsAside] = useState(false);
  const askWho = () => queryClient.fetchQuery({ ...trpc.workspace.me.queryOptions(), staleTime: 0 });

  const comeBack = async () => {
    const me = await askWho().catch(() => null);
    // Somebody else, or nobody we can tell: nothing of what the first person read may stay in memory.
    if (me && me.user.id !== user.id) return window.location.assign("/");
    setAccess("open");
    setIsAside(false);
    tryAgainEverywhere();
    await queryClient.invalidateQueries();
  };
  // Signed in again in another tab: the answer to who one is opens this one, too.
  useWindowEvent("focus", () => {
    if (isOut) void askWho().then(comeBack, () => {});
  });

  if (!isOut) return null;
  return (
    <>
      {isAside && (
        <div className="state-bar warn" role="alert">
          <span>You were signed out. Nothing here can be saved until you sign in again.</span>
          <button type="button" className="linkbtn" onClick={() => setIsAside(false)}>
            Sign in
          </button>
        </div>
      )}
      <Modal opened={!isAside} onClose={() => setIsAside(true)} title="You were signed out" size={400}>
        <div className="col">
          <p className="t2 signed-out-words">
            Your session has ended. Sign in again to go on: what you typed here is still there.
          </p>
          <SignInForm email={user.email} onDone={comeBack} />
          <p className="fs12 t3 signed-out-words">
            Or {/* A full load: the page decides where somebody signed out is sent. */}
            <button
              type="button"
              className="linkbtn fs12"
              onClick={() => {
                const { pathname, search } = window.location;
                window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
              }}
            >
              open the sign-in page
            </button>
            , which leads back here.
          </p>
        </div>
      </Modal>
    </>
  );
}
