"use client";

import { Button, Tooltip } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useStartRun } from "./start-run-provider";

/** Opens the dialog. For a viewer it is off, and says why. */
export function StartRunButton({ filled = true }: { filled?: boolean }) {
  const startRun = useStartRun();
  const whyNot = useWhyNotAct();
  return (
    <Tooltip label={whyNot} disabled={!whyNot}>
      <Button
        variant={filled ? "filled" : "default"}
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => !whyNot && startRun.open()}
        data-disabled={whyNot ? true : undefined}
        aria-disabled={whyNot ? true : undefined}
      >
        Start a run
        {whyNot && <span className="sr">. {whyNot}</span>}
      </Button>
    </Tooltip>
  );
}
