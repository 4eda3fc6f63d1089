import {
  type Icon,
  IconBrain,
  IconBulb,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconFileSearch,
  IconFold,
  IconGavel,
  IconHandStop,
  IconLoader2,
  IconPlayerPause,
  IconPlugConnectedX,
  IconQuestionMark,
  IconQuote,
  IconRobot,
  IconSettingsAutomation,
  IconSquareRotated,
  IconTool,
  IconUser,
  IconUsersGroup,
} from "@tabler/icons-react";
import type { ReasonSource, StepKind } from "@/server/engine/events";
import type { RunStatus } from "@/server/engine/state";
import { statusHelp, statusWord, TONE_OF } from "./status-words";

const STATUS_ICONS: Record<RunStatus, Icon> = {
  queued: IconCircleDashed,
  running: IconLoader2,
  waiting: IconHandStop,
  paused: IconPlayerPause,
  suspended: IconPlayerPause,
  interrupted: IconPlugConnectedX,
  completed: IconCircleCheck,
  failed: IconCircleX,
  aborted: IconCircleMinus,
};

type StatusIconProps = { status: RunStatus; size?: number };

/** The icon alone says nothing to a screen reader: put the word beside it, or in a `.sr` span. */
export function StatusIcon({ status, size = 14 }: StatusIconProps) {
  const Glyph = STATUS_ICONS[status];
  return (
    <Glyph
      size={size}
      stroke={2}
      className={status === "running" ? "spin" : undefined}
      style={{ color: `var(--st-${TONE_OF[status]})`, flex: "none" }}
      aria-hidden
    />
  );
}

type StatusBadgeProps = StatusIconProps & {
  /** Why it stands so; shown for suspended and aborted. */
  reason?: string | null;
  /** A more specific word, when one is known: "Waiting for you". */
  word?: string | null;
  /** Tinted, once per page header. */
  pill?: boolean;
};

/** Icon, word, colour; what the state means on hover. Plain in rows and tables, `pill` once per header. */
export function StatusBadge({ status, reason, word, pill, size }: StatusBadgeProps) {
  const tone = TONE_OF[status];
  return (
    <span
      className={pill ? "pill" : "status"}
      title={word ? undefined : statusHelp(status, reason)}
      style={{ color: `var(--st-${tone})`, background: pill ? `var(--st-${tone}-bg)` : undefined }}
    >
      <StatusIcon status={status} size={size} />
      {word ?? statusWord(status, reason)}
    </span>
  );
}

export type RowKind = StepKind | "agent" | "team" | "decision";

export const KINDS: Record<RowKind, { word: string; icon: Icon; color: string }> = {
  model: { word: "Model call", icon: IconBrain, color: "var(--k-model)" },
  summary: { word: "Model call that condenses", icon: IconFold, color: "var(--k-model)" },
  tool: { word: "Tool call", icon: IconTool, color: "var(--k-tool)" },
  retrieval: { word: "Search in knowledge", icon: IconFileSearch, color: "var(--k-retrieval)" },
  human: { word: "Human request", icon: IconUser, color: "var(--k-human)" },
  agent: { word: "Agent run", icon: IconRobot, color: "var(--k-agent)" },
  team: { word: "Root agent run", icon: IconUsersGroup, color: "var(--k-agent)" },
  decision: { word: "Decision", icon: IconSquareRotated, color: "var(--k-decision)" },
};

/** What kind of row it is. `team` is the root agent run. */
export function KindIcon({ kind, size = 15 }: { kind: RowKind; size?: number }) {
  const { icon: Glyph, word, color } = KINDS[kind];
  return <Glyph size={size} stroke={1.75} style={{ color, flex: "none" }} role="img" aria-label={word} />;
}

export const SOURCES: Record<
  ReasonSource,
  { word: string; icon: Icon; look: "claim" | "certain" | "absent"; means: string }
> = {
  "model-stated": {
    word: "Model-stated",
    icon: IconQuote,
    look: "claim",
    means: "The model gave this reason when it chose. It is a claim.",
  },
  "provider-reasoning": {
    word: "Provider reasoning",
    icon: IconBulb,
    look: "claim",
    means: "How the model’s reasoning ended, as its provider sent it. It is a claim.",
  },
  policy: {
    word: "Policy",
    icon: IconGavel,
    look: "certain",
    means: "A rule of this workspace decided. It is certain.",
  },
  "runtime-rule": {
    word: "Runtime rule",
    icon: IconSettingsAutomation,
    look: "certain",
    means: "The engine decided by a fixed rule. It is certain.",
  },
  human: { word: "Human", icon: IconUser, look: "certain", means: "A person decided." },
  "not-stated": {
    word: "Not stated",
    icon: IconQuestionMark,
    look: "absent",
    means: "No reason was given when the choice was made, and none is made up afterwards.",
  },
};

/** Dashed: a claim by a model. Filled: certain, a rule or a person. */
export function SourceBadge({ source, rule }: { source: ReasonSource; rule?: string }) {
  const { icon: Glyph, word, look, means } = SOURCES[source];
  return (
    <span className={`source ${look}`} title={means}>
      <Glyph size={12} stroke={1.75} aria-hidden />
      {word}
      {rule && <span className="mono fs11">{rule}</span>}
    </span>
  );
}
