"use client";

import { IconArrowLeft } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { describeTarget, targetInput, targetKey } from "@/components/runs/run-targets";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { RunTarget } from "@/server/runs/schema";
import { attachmentUploads } from "./attachment-uploads";
import { Composer } from "./composer";
import { DropFiles } from "./drop-files";
import { keepDraft, useDraft } from "./use-draft";

/** A conversation before it exists: it is made with the first question or the first file. */
export function FirstQuestion({ target }: { target: RunTarget }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const whyNot = useWhyNotAct();
  const draftId = `new.${targetKey(target)}`;
  const [text, setText] = useDraft(draftId);
  // Made already when a question that came after it was refused: asking again must not make another.
  const [made, setMade] = useState<string | null>(null);
  const start = useMutation(trpc.conversations.start.mutationOptions());
  const ask = useMutation(trpc.conversations.ask.mutationOptions());

  const open = async (): Promise<string> => {
    if (made) return made;
    const { conversationId } = await start.mutateAsync(targetInput(target));
    setMade(conversationId);
    return conversationId;
  };
  const leaveTo = (conversationId: string) => {
    setText("");
    void queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
    router.replace(`/conversations/${conversationId}`);
  };
  const send = async (input: string) => {
    const conversationId = await open();
    await ask.mutateAsync({ conversationId, input });
    leaveTo(conversationId);
  };
  const attach = async (files: File[]) => {
    const conversationId = await open();
    attachmentUploads.add(conversationId, files);
    keepDraft(conversationId, text);
    leaveTo(conversationId);
  };
  // What went wrong is in the mutations' state, where the composer shows it.
  const shown = (work: Promise<void>) => void work.catch(() => {});
  const error = start.error ?? ask.error;

  return (
    <DropFiles className="talk" isOff={whyNot !== null} onFiles={(files) => shown(attach(files))}>
      {(choose) => (
        <>
          <header className="talk-head">
            <Link href="/conversations/new" className="icon-btn" aria-label="Choose somebody else">
              <IconArrowLeft size={16} aria-hidden />
            </Link>
            <div className="grow">
              <h2 className="talk-title ell">Ask {target.name}</h2>
              <p className="t2 fs12 ell">{describeTarget(target)}</p>
            </div>
          </header>
          <div className="talk-box">
            <div className="talk-scroll scroll">
              <div className="talk-turns">
                <div className="talk-first t2">
                  {target.kind === "team" && target.purpose && <p>{target.purpose}</p>}
                  <p>Follow-up questions know what was said before. Attached files are searched for every question.</p>
                  {target.example && text === "" && (
                    <p>
                      For example:{" "}
                      <button
                        type="button"
                        className="linkbtn talk-example"
                        onClick={() => setText(target.example ?? "")}
                      >
                        {target.example}
                      </button>
                    </p>
                  )}
                </div>
              </div>
            </div>
          </div>
          <Composer
            text={text}
            onText={setText}
            onSend={(input) => shown(send(input))}
            sending={start.isPending || ask.isPending}
            onFiles={(files) => shown(attach(files))}
            onChoose={choose}
            whyNot={whyNot}
            whyNotAttach={whyNot}
            refusal={error ? errorWords(error).sentence : null}
            placeholder={`Ask ${target.name}`}
            files={null}
          />
        </>
      )}
    </DropFiles>
  );
}
