import { type Icon, IconArrowsExchange, IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import type { Verdict } from "@/server/decisions/schema";
import { VERDICT_WORDS, verdictCounts } from "./decision-words";

const LOOKS: Record<Verdict, { icon: Icon; tone: string }> = {
  right: { icon: IconThumbUp, tone: "succeeded" },
  wrong: { icon: IconThumbDown, tone: "failed" },
  better: { icon: IconArrowsExchange, tone: "waiting" },
};

/** Icon, word, colour of what somebody says of a decision; how many say so, where several do. */
export function VerdictBadge({ verdict, count = 1 }: { verdict: Verdict; count?: number }) {
  const { icon: Glyph, tone } = LOOKS[verdict];
  return (
    <span className="status" style={{ color: `var(--st-${tone})` }}>
      <Glyph size={14} stroke={2} aria-hidden />
      {VERDICT_WORDS[verdict]}
      {count > 1 && <span className="num">×{count}</span>}
    </span>
  );
}

/** What people say of a decision, who on hover; nothing where nobody said anything. */
export function VerdictBadges({ labels }: { labels: readonly { verdict: Verdict; by: string }[] }) {
  return verdictCounts(labels).map(({ verdict, count }) => (
    <span
      key={verdict}
      title={labels
        .filter((label) => label.verdict === verdict)
        .map(({ by }) => by)
        .join(", ")}
    >
      <VerdictBadge verdict={verdict} count={count} />
    </span>
  ));
}
