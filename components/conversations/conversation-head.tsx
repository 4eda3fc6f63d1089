"use client";

import { Button, Menu, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowLeft, IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { decisionsHref } from "@/components/decisions/decision-filters";
import { useWhyNotAct } from "@/components/layout/use-me";
import { NO_FILTERS, runFiltersToQuery } from "@/components/runs/run-list-filters";
import { targetHref } from "@/components/runs/run-targets";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { ConversationDetail } from "@/server/conversations/schema";
import { renameConversationInput } from "@/server/conversations/schema";
import { keepDraft } from "./use-draft";

/** Title, who is asked, and what can be done with the whole. */
export function ConversationHead({ conversation }: { conversation: ConversationDetail }) {
  const { id, title, target, turns } = conversation;
  const whyNot = useWhyNotAct();
  const [renaming, rename] = useDisclosure(false);
  const [deleting, remove] = useDisclosure(false);
  return (
    <header className="talk-head">
      <Link href="/conversations" className="icon-btn only-m" aria-label="All conversations">
        <IconArrowLeft size={18} aria-hidden />
      </Link>
      <div className="grow">
        <h2 className="talk-title ell" title={title}>
          {title}
        </h2>
        <p className="t2 fs12 row">
          {target.isDeleted ? (
            <span className="ell">{target.name} (deleted)</span>
          ) : (
            <Link href={targetHref(target)} className="ell talk-target" prefetch={false}>
              {target.name}
            </Link>
          )}
          <span className="t3 talk-count">{formatPlural(turns.length, "question")}</span>
          {turns.length > 0 && (
            <>
              <Link
                href={`/runs${runFiltersToQuery({ ...NO_FILTERS, conversation: id })}`}
                className="talk-target"
                prefetch={false}
              >
                Runs
              </Link>
              <Link href={decisionsHref({ conversation: id })} className="talk-target" prefetch={false}>
                Decisions
              </Link>
            </>
          )}
        </p>
      </div>
      {whyNot === null && (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className="icon-btn" aria-label="Rename or delete">
              <IconDots size={16} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={rename.open}>
              Rename…
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={remove.open}>
              Delete…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <Modal opened={renaming} onClose={rename.close} title="Rename this conversation" size={440}>
        <RenameForm conversation={conversation} onDone={rename.close} />
      </Modal>
      <Modal opened={deleting} onClose={remove.close} title="Delete this conversation?" size={440}>
        <DeleteForm conversation={conversation} onCancel={remove.close} />
      </Modal>
    </header>
  );
}

function RenameForm({ conversation: { id, title }, onDone }: { conversation: ConversationDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [value, setValue] = useState(title);
  const [problem, setProblem] = useState<string | null>(null);
  const rename = useMutation(
    trpc.conversations.rename.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
        onDone();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = renameConversationInput.shape.title.safeParse(value);
    if (parsed.success) rename.mutate({ conversationId: id, title: parsed.data });
    else setProblem(parsed.error.issues[0]?.message ?? null);
  };
  return (
    <form className="col" onSubmit={submit} noValidate>
      <TextInput
        label="Title"
        value={value}
        error={problem ?? (rename.error ? errorWords(rename.error).sentence : null)}
        onChange={(event) => {
          setValue(event.currentTarget.value);
          setProblem(null);
        }}
        data-autofocus
      />
      <div className="row dialog-acts">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="filled" loading={rename.isPending}>
          Rename
        </Button>
      </div>
    </form>
  );
}

function DeleteForm({ conversation, onCancel }: { conversation: ConversationDetail; onCancel: () => void }) {
  const { id, turns, attachments } = conversation;
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.conversations.remove.mutationOptions({
      onSuccess: () => {
        keepDraft(id, "");
        void queryClient.invalidateQueries({ queryKey: trpc.conversations.list.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.runs.pathKey() });
        router.replace("/conversations");
      },
    }),
  );
  const goes = [
    turns.length > 0 &&
      `${formatPlural(turns.length, "question")} with ${turns.length === 1 ? "its run" : "their runs"}`,
    attachments.length > 0 && formatPlural(attachments.length, "attached file"),
  ].filter(Boolean);
  return (
    <div className="col">
      <p className="t2">
        {goes.length > 0
          ? `${goes.join(" and ")} go for good: steps, decisions, costs and answers too.`
          : "It is empty."}
      </p>
      {remove.error && (
        <Note tone="bad" role="alert">
          {errorWords(remove.error).sentence}
        </Note>
      )}
      <div className="row dialog-acts">
        <Button onClick={onCancel} data-autofocus>
          Keep it
        </Button>
        <Button data-danger loading={remove.isPending} onClick={() => remove.mutate({ conversationId: id })}>
          Delete the conversation
        </Button>
      </div>
    </div>
  );
}
