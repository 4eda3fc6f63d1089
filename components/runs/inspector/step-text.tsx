"use client";

import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { CodeBox } from "@/components/runs/inspector/code-box";
import { Loaded } from "@/components/runs/inspector/loaded";
import { Part } from "@/components/runs/inspector/part";
import { useStepText } from "@/components/runs/inspector/use-detail";
import { formatBytes } from "@/components/ui/format";
import type { StepTextInput, TextCut } from "@/server/runs/step-schema";

/** More than this is read when somebody asks for it; anything shorter as soon as it is unfolded. */
const READ_AT_ONCE_BYTES = 1_000_000;

/** A text of a step as it was sent to the page, and where the rest of it is. */
export type Source = { text: string; cut: TextCut | undefined; place: StepTextInput };

type Props = { source: Source; what: string; children: (text: string) => ReactNode };

/** A text of a step. What was sent as its beginning is read now. */
export function StepText({ source, what, children }: Props) {
  const { view } = useText(source, what, children);
  return view;
}

/** The same with a title, its size and a way to copy it. */
export function StepTextPart({ title, source, what, children }: Props & { title: ReactNode }) {
  const { whole, view } = useText(source, what, children);
  return (
    <Part title={title} copy={whole} bytes={source.cut?.bytes} what={what}>
      {view}
    </Part>
  );
}

/** `whole`: undefined until it is read. */
function useText({ text, cut, place }: Source, what: string, children: Props["children"]) {
  const [isAsked, setAsked] = useState(false);
  const isRead = cut !== undefined && (isAsked || cut.bytes <= READ_AT_ONCE_BYTES);
  const query = useStepText(place, isRead);
  if (cut === undefined) return { whole: text, view: children(text) };
  if (isRead) {
    const view = (
      <Loaded query={query} what={`The ${what}`}>
        {(loaded) => children(loaded.text)}
      </Loaded>
    );
    return { whole: query.data?.text, view };
  }
  const view = (
    <>
      <CodeBox>{text}…</CodeBox>
      <Button mt={8} onClick={() => setAsked(true)}>
        Show all {formatBytes(cut.bytes)}
      </Button>
    </>
  );
  return { whole: undefined, view };
}
