"use client";

import { Button, Textarea } from "@mantine/core";
import { getHotkeyHandler, useOs } from "@mantine/hooks";
import { IconPaperclip } from "@tabler/icons-react";
import type { ClipboardEvent, ReactNode } from "react";
import { FILE_LIMIT_WORDS, FILE_TYPE_WORDS } from "@/components/knowledge/upload-rules";
import { Note } from "@/components/ui/note";
import { askInput } from "@/server/conversations/schema";

type Props = {
  text: string;
  onText: (text: string) => void;
  onSend: (text: string) => void;
  sending: boolean;
  onFiles: (files: File[]) => void;
  /** Opens the browser's own dialog for files. */
  onChoose: () => void;
  /** Why nothing can be sent now; null when it can. */
  whyNot: string | null;
  /** Why nothing can be attached now; null when it can. */
  whyNotAttach: string | null;
  /** What the server said to the last question. */
  refusal: string | null;
  placeholder: string;
  /** What is attached, above the field. */
  files: ReactNode;
};

/** Where a question is written. Files come by the paperclip, by paste and by dropping them anywhere on the page. */
export function Composer({
  text,
  onText,
  onSend,
  sending,
  onFiles,
  onChoose,
  whyNot,
  whyNotAttach,
  refusal,
  ...rest
}: Props) {
  const os = useOs();
  const parsed = askInput.shape.input.safeParse(text);
  const problem = text.trim() && !parsed.success ? (parsed.error.issues[0]?.message ?? null) : null;
  const send = () => {
    if (parsed.success && whyNot === null && !sending) onSend(parsed.data);
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    // Copied text from an office program brings a picture of itself along: then the text is meant.
    if (files.length === 0 || event.clipboardData.types.includes("text/plain") || whyNotAttach) return;
    event.preventDefault();
    onFiles(files);
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {refusal && (
        <Note tone="bad" role="alert">
          {refusal}
        </Note>
      )}
      {rest.files}
      <Textarea
        aria-label="Your question"
        placeholder={rest.placeholder}
        minRows={2}
        maxRows={10}
        autosize
        value={text}
        error={problem}
        onChange={(event) => onText(event.currentTarget.value)}
        onPaste={paste}
        onKeyDown={getHotkeyHandler([["mod+Enter", send]])}
        data-autofocus
      />
      <div className="row composer-foot">
        <button
          type="button"
          className="icon-btn"
          aria-label="Attach files"
          title={whyNotAttach ?? `Attach files: ${FILE_TYPE_WORDS}, ${FILE_LIMIT_WORDS}`}
          aria-disabled={whyNotAttach ? true : undefined}
          onClick={() => !whyNotAttach && onChoose()}
        >
          <IconPaperclip size={16} stroke={1.75} aria-hidden />
        </button>
        <span className="grow t3 fs12 composer-why" role="status">
          {whyNot ?? <span className="hide-m">{os === "macos" || os === "ios" ? "⌘↵" : "Ctrl Enter"} sends</span>}
        </span>
        <Button
          type="submit"
          variant="filled"
          loading={sending}
          disabled={whyNot !== null || !parsed.success}
          title={whyNot ?? (parsed.success ? undefined : "Write a question first")}
        >
          Ask
        </Button>
      </div>
    </form>
  );
}
