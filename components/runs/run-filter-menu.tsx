import { Button, Popover } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { countConditions, type RunFilter } from "@/components/runs/run-filter";
import type { RunView } from "@/components/runs/use-run-view";
import { later } from "@/components/ui/later";

// Loaded when it is opened: the page of a run is the largest there is.
const RunFilterForm = later(() => import("@/components/runs/run-filter-form").then((it) => it.RunFilterForm));

/** Whose rows, of what kind, how dear and how slow; and whether only they are shown. */
export function RunFilterMenu({ view }: { view: RunView }) {
  const { filter, index } = view;
  const change = (filter: Partial<RunFilter>) => view.go({ filter });
  // On a phone the field for the name is in here, too.
  const touch = useMediaQuery("(max-width: 899px)", false, { getInitialValueInEffect: false });
  const count = countConditions(filter) + (touch && filter.text.trim() !== "" ? 1 : 0);
  return (
    <Popover position="bottom-start" width={288} trapFocus returnFocus withinPortal middlewares={{ size: true }}>
      <Popover.Target>
        <Button
          className="run-filter-more"
          variant="default"
          leftSection={<IconFilter size={14} aria-hidden />}
          aria-label={count === 0 ? "More filters" : `More filters, ${count} set`}
        >
          {count === 0 ? "Filter" : `Filter · ${count}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters" className="scroll">
        <RunFilterForm filter={filter} index={index} change={change} />
      </Popover.Dropdown>
    </Popover>
  );
}
