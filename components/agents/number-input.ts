import type { AgentDraft } from "./use-agent-draft";

type NumberField =
  | "maxConcurrentAgents"
  | "maxAgentDepth"
  | "maxToolRounds"
  | "maxAutoContinues"
  | "compaction.preserveLastN"
  | "compaction.minMessages"
  | "compaction.maxSummaryTokens";

/** Whole numbers. An emptied field stays empty and is refused when it is saved, rather than becoming a number nobody chose. */
export function numberInput(form: AgentDraft["form"], field: NumberField) {
  const { onChange, value, ...props } = form.getInputProps(field);
  return {
    ...props,
    allowDecimal: false,
    allowNegative: false,
    onChange: (typed: number | string) => onChange(typed === "" ? Number.NaN : Number(typed)),
    value: Number.isNaN(value) || value === null ? "" : value,
  };
}
