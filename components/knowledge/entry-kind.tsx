import "./entries.css";
import { type Icon, IconArrowsSplit2, IconBan, IconBulb, IconPuzzle, IconTemplate } from "@tabler/icons-react";
import type { EntryKind } from "@/server/knowledge/entry-schema";
import { ENTRY_WORDS } from "./entry-words";

const GLYPHS: Record<EntryKind, Icon> = {
  "problem-solution": IconPuzzle,
  pattern: IconTemplate,
  decision: IconArrowsSplit2,
  learning: IconBulb,
  antipattern: IconBan,
};

export function EntryKindIcon({ kind, size = 14 }: { kind: EntryKind; size?: number }) {
  const Glyph = GLYPHS[kind];
  return <Glyph size={size} stroke={1.6} className="file-icon" aria-hidden />;
}

/** Icon and word of what an entry is. */
export function EntryKindBadge({ kind }: { kind: EntryKind }) {
  return (
    <span className="entry-kind" title={ENTRY_WORDS[kind].means}>
      <EntryKindIcon kind={kind} />
      {ENTRY_WORDS[kind].word}
    </span>
  );
}
