import { IconAlertTriangle } from "@tabler/icons-react";
import type { DraftProblem } from "@/server/agents/schema";

/** What stands in the way of publishing, under the field it belongs to. */
export function FieldProblems({ problems }: { problems: readonly DraftProblem[] }) {
  return problems.map(({ field, message }) => (
    <p className="field-problem" key={`${field} ${message}`}>
      <IconAlertTriangle size={13} aria-hidden />
      <span>{message}</span>
    </p>
  ));
}
