"use client";

import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { isUnderWay } from "@/components/knowledge/upload-queue";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import {
  type ConversationDetail,
  type RemovedTurn as Removed,
  TURNS_AT_ONCE,
  type ConversationTurn as Turn,
} from "@/server/conversations/schema";
import { isTerminal } from "@/server/engine/state";
import { AttachmentList } from "./attachment-list";
import { attachmentUploads, useAttachmentUploads } from "./attachment-uploads";
import { Composer } from "./composer";
import { ConversationHead } from "./conversation-head";
import { ConversationTurn, RemovedTurn } from "./conversation-turn";
import { DropFiles } from "./drop-files";
import { LiveTurn } from "./live-turn";
import { useDraft } from "./use-draft";
import { useStickToEnd } from "./use-stick-to-end";

type Props = { conversation: ConversationDetail; isReadingEarlier: boolean; onShowEarlier: () => void };

/** Questions and answers, oldest first, and where the next one is written. */
export function ConversationView({ conversation, isReadingEarlier, onShowEarlier }: Props) {
  const { id, target, turns, earlierTurns, removedTurns, attachments } = conversation;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [text, setText] = useDraft(id);
  const { data: feedback } = useQuery(trpc.feedback.onConversation.queryOptions({ conversationId: id }));
  const uploads = useAttachmentUploads(id);
  const thread = useStickToEnd(earlierTurns);
  const whyNotAct = useWhyNotAct();
  usePageCrumbs([{ word: conversation.title }]);

  const reread = () => queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
  const ask = useMutation(
    trpc.conversations.ask.mutationOptions({
      onSuccess: (_, { input }) => {
        // What was typed meanwhile stays; so does the draft when an earlier question was asked again.
        if (text.trim() === input) setText("");
        thread.jump();
        return reread();
      },
    }),
  );
  const send = (input: string) => ask.mutate({ conversationId: id, input });
  const sending = uploads.filter(isUnderWay).length;
  const whyNotUpload =
    sending > 0 ? `Waits until ${formatPlural(sending, "file")} ${sending === 1 ? "is" : "are"} there.` : null;
  const whyNot = whyNotAct ?? conversation.whyNotAsk ?? whyNotUpload;
  const whyNotAttach = whyNotAct ?? (target.isDeleted ? conversation.whyNotAsk : null);
  const attach = (files: File[]) => attachmentUploads.add(id, files);

  return (
    <DropFiles className="talk" isOff={whyNotAttach !== null} onFiles={attach}>
      {(choose) => (
        <>
          <ConversationHead conversation={conversation} />
          <div className="talk-box">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
            <div className="talk-scroll scroll" ref={thread.box} onScroll={thread.onScroll} tabIndex={0}>
              <div className="talk-turns" ref={thread.content}>
                {turns.length + removedTurns.length === 0 && (
                  <p className="t2 talk-first">
                    Ask {target.name}. Follow-up questions know what was said before. Attached files are searched for
                    every question.
                  </p>
                )}
                {earlierTurns > 0 && (
                  <Button className="talk-earlier" loading={isReadingEarlier} onClick={onShowEarlier}>
                    Show {formatPlural(Math.min(earlierTurns, TURNS_AT_ONCE), "earlier turn")}
                    {earlierTurns > TURNS_AT_ONCE && ` of ${earlierTurns}`}
                  </Button>
                )}
                {inOrder(turns, removedTurns).map((turn) =>
                  "removedAt" in turn ? (
                    <RemovedTurn key={turn.runId} turn={turn} />
                  ) : isTerminal(turn.status) ? (
                    <ConversationTurn
                      key={turn.runId}
                      turn={turn}
                      said={feedback?.filter(({ runId }) => runId === turn.runId)}
                      onAskAgain={
                        whyNot === null && !ask.isPending && turn === turns.at(-1) ? () => send(turn.input) : null
                      }
                    />
                  ) : (
                    <LiveTurn key={turn.runId} turn={turn} onEnded={reread} />
                  ),
                )}
              </div>
            </div>
            {!thread.atEnd && (
              <Button className="jump" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={thread.jump}>
                {turns.some((turn) => !isTerminal(turn.status)) ? "Jump to live" : "To the end"}
              </Button>
            )}
          </div>
          <Composer
            text={text}
            onText={setText}
            onSend={send}
            sending={ask.isPending}
            onFiles={attach}
            onChoose={choose}
            whyNot={whyNot}
            whyNotAttach={whyNotAttach}
            refusal={ask.error ? refusalWords(ask.error) : null}
            placeholder={turns.length === 0 ? `Ask ${target.name}` : "Ask a follow-up"}
            files={<AttachmentList conversationId={id} attachments={attachments} uploads={uploads} />}
          />
        </>
      )}
    </DropFiles>
  );
}

/** As they were asked. Instants are UTC texts of one length, so their letters order them. */
function inOrder(turns: readonly Turn[], removed: readonly Removed[]): (Turn | Removed)[] {
  return [...turns, ...removed].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

function refusalWords(error: unknown): string {
  const { sentence, answered } = errorWords(error);
  return answered ? sentence : `${sentence} If the question was taken it appears above; your text is kept.`;
}
