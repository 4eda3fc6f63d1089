import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";

/** The same while the page loads, so that nothing moves when it is there. */
export function WebhooksHead({ actions }: { actions?: ReactNode }) {
  return <PageHead title="Webhooks" meta="Addresses that are called when something happens" actions={actions} />;
}
