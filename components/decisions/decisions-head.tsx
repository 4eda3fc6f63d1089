import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";

/** The same while the list loads, so that nothing moves when it is there. */
export function DecisionsHead({ actions }: { actions?: ReactNode }) {
  return (
    <PageHead
      title="Decisions"
      meta="What agents, rules and people chose in every run, why, and what came of it"
      actions={actions}
    />
  );
}
