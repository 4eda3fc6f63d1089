"use client";

import { Button } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { acceptInviteInput } from "@/server/members/schema";
import { AccountFields } from "./account-fields";
import styles from "./auth-card.module.css";
import { postSignIn } from "./auth-request";
import { toFormErrors } from "./form-errors";
import { Problem } from "./problem";

/** What the link is for, and the form that uses it: an account of one's own, or one click for somebody signed in. */
export function InviteForm({ signedInAs }: { signedInAs: string | null }) {
  const trpc = useTRPC();
  // Behind the #, so that it reaches no server's log; known in the browser only.
  const [token, setToken] = useState<string | null>(null);
  const { mutate: look, data: invite, error } = useMutation(trpc.members.lookAtInvite.mutationOptions());
  useEffect(() => {
    const found = window.location.hash.slice(1);
    setToken(found);
    look({ token: found });
  }, [look]);

  if (error) {
    return (
      <div className={styles.form}>
        <Problem>{errorWords(error).sentence}</Problem>
        <Button component="a" href="/sign-in">
          Go to sign in
        </Button>
      </div>
    );
  }
  if (!invite || token === null) return <p className={styles.lead}>Reading the invitation…</p>;
  return (
    <>
      <p className={styles.lead}>
        {invite.invitedBy ?? "An owner"} invites you to “{invite.workspaceName}” as {invite.role}.
      </p>
      {signedInAs ? <Join token={token} signedInAs={signedInAs} /> : <NewAccount token={token} />}
    </>
  );
}

function Join({ token, signedInAs }: { token: string; signedInAs: string }) {
  const trpc = useTRPC();
  const join = useMutation(
    trpc.members.joinWithInvite.mutationOptions({ onSuccess: () => window.location.assign("/") }),
  );
  return (
    <div className={styles.form}>
      <p>You are signed in as {signedInAs}.</p>
      <Problem>{join.error ? errorWords(join.error).sentence : null}</Problem>
      <Button variant="filled" fullWidth loading={join.isPending} onClick={() => join.mutate({ token })}>
        Join the workspace
      </Button>
    </div>
  );
}

const schema = acceptInviteInput.omit({ token: true });
const FIELDS = ["name", "email", "password"];

function NewAccount({ token }: { token: string }) {
  const trpc = useTRPC();
  const accept = useMutation(trpc.members.acceptInvite.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", email: "", password: "" },
    validate: schemaResolver(schema, { sync: true }),
  });
  function submit(values: typeof form.values) {
    setProblem(null);
    accept.mutate(
      { token, ...values },
      {
        onSuccess: async () => {
          const outcome = await postSignIn(values);
          // The account exists now: if signing in fails, the sign-in page is the place to try again.
          window.location.assign(outcome.done ? "/" : "/sign-in");
        },
        onError: (error) => {
          const shown = error.data ?? { userMessage: "The server did not answer. Try again.", fieldErrors: null };
          const { fields, rest } = toFormErrors(shown, FIELDS);
          form.setErrors(fields);
          setProblem(rest);
        },
      },
    );
  }
  return (
    <form className={styles.form} method="post" onSubmit={form.onSubmit(submit)} noValidate>
      <AccountFields form={form} autoFocus />
      <Problem>{problem}</Problem>
      <Button type="submit" variant="filled" loading={accept.isPending || accept.isSuccess} fullWidth>
        Create the account and join
      </Button>
    </form>
  );
}
