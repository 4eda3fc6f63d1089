import { useMemo } from "react";
import { CodeBox } from "@/components/runs/inspector/code-box";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b/g;
/** Above this a coloured copy costs more than it helps. */
const COLOURED_UP_TO = 60_000;

/** A value as indented JSON, in a box that scrolls inside. */
export function JsonView({ value }: { value: unknown }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "null", [value]);
  return <CodeBox>{text.length > COLOURED_UP_TO ? text : <Coloured text={text} />}</CodeBox>;
}

/** Text that ought to be JSON: indented when it is, exactly as it is when not. */
export function JsonText({ text }: { text: string }) {
  const parsed = useMemo(() => parse(text), [text]);
  return parsed === undefined ? <CodeBox>{text}</CodeBox> : <JsonView value={parsed} />;
}

/** Undefined when it is no JSON object or list. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function Coloured({ text }: { text: string }) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    const [whole, quoted, colon] = match;
    const kind = quoted === undefined ? "num" : colon ? "key" : "str";
    parts.push(
      <span key={match.index} className={`j-${kind}`}>
        {quoted ?? whole}
      </span>,
    );
    if (colon) parts.push(colon);
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts;
}
