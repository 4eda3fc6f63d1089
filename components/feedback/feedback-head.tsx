import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";

/** The same while the list loads, so that nothing moves when it is there. */
export function FeedbackHead({ actions }: { actions?: ReactNode }) {
  return (
    <PageHead title="Feedback" meta="What people say of the answers of runs and conversations" actions={actions} />
  );
}
