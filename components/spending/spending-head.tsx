import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";

/** The same while the page loads, so that nothing moves when it is there. */
export function SpendingHead({ actions }: { actions?: ReactNode }) {
  return (
    <PageHead
      title="Spending"
      meta="What calls of models used and cost, for whom, and how soon they were answered"
      actions={actions}
    />
  );
}
