import { Button } from "@mantine/core";
import { IconCoins, IconFilterOff } from "@tabler/icons-react";
import { StartRunButton } from "@/components/runs/start-run-button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import type { SpendingFilters } from "@/server/spending/schema";
import { NARROWED_BY, spendingHref } from "./spending-filters";

export function NoCalls({ filters, onClear }: { filters: SpendingFilters; onClear: () => void }) {
  if (NARROWED_BY.some((field) => filters[field] !== "")) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No call of this period matches"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        Take a filter away, or look at a longer period.
      </EmptyState>
    );
  }
  const action =
    filters.period === "" ? (
      <StartRunButton filled={false} />
    ) : (
      <LinkButton href={spendingHref({ ...filters, period: "", from: "", to: "" })}>Show the last 30 days</LinkButton>
    );
  return (
    <EmptyState icon={IconCoins} title="No model was called in this period" action={action}>
      Each call a run makes counts here once it has ended: what it used, what it cost, and how soon it was answered.
    </EmptyState>
  );
}
