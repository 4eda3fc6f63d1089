"use client";

import { Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp, IconDots, IconRefresh } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { CompareItems, CompareMenu } from "@/components/compare/compare-menu";
import { CopyLinkButton, useCopyLink } from "@/components/runs/copy-link";
import { RunAgainButton, useRunAgain } from "@/components/runs/run-again";
import { RunHoldButton } from "@/components/runs/run-hold-button";
import { RunMenu } from "@/components/runs/run-menu";
import type { RunState } from "@/components/runs/run-state";
import { RunStopButton } from "@/components/runs/run-stop-button";
import type { RunControl } from "@/components/runs/use-control-run";
import { useRunNeighbour } from "@/components/runs/use-run-neighbour";
import { isTerminal } from "@/server/engine/state";

type Props = { run: RunState["run"]; control: RunControl };

/** What one can do about a run. While it goes on, what is rarer than pausing and stopping is in the menu where room is short. */
export function RunActions({ run, control }: Props) {
  const isOver = isTerminal(run.status);
  const isNarrow = useMediaQuery("(max-width: 1180px)", false, { getInitialValueInEffect: false });
  const hasButtons = isOver || !isNarrow;
  const again = useRunAgain(run);
  return (
    <div className="page-actions">
      {!isOver && (
        <>
          <RunHoldButton run={run} control={control} />
          <RunStopButton runId={run.id} running={run.agents.running} />
        </>
      )}
      {hasButtons && (
        <>
          <RunAgainButton {...again} />
          <CompareMenu run={run} />
          <CopyLinkButton />
        </>
      )}
      <RunMore run={run} again={hasButtons ? null : again} />
    </div>
  );
}

type Again = ReturnType<typeof useRunAgain>;

/** `again`: there is no room for buttons, so the menu has what they do. */
function RunMore({ run, again }: Pick<Props, "run"> & { again: Again | null }) {
  const router = useRouter();
  return (
    <RunMenu
      run={run}
      onRemoved={() => router.push("/runs")}
      first={
        <>
          {again && <ButtonItems run={run} again={again} />}
          <NeighbourItems runId={run.id} />
        </>
      }
    >
      <button type="button" className="icon-btn" aria-label="More actions">
        <IconDots size={16} aria-hidden />
      </button>
    </RunMenu>
  );
}

function NeighbourItems({ runId }: { runId: string }) {
  const go = useRunNeighbour(runId);
  return (
    <>
      <Menu.Item leftSection={<IconArrowDown size={15} aria-hidden />} onClick={() => go("older")}>
        Older run
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowUp size={15} aria-hidden />} onClick={() => go("newer")}>
        Newer run
      </Menu.Item>
    </>
  );
}

/** What are buttons where there is room. */
function ButtonItems({ run, again: { runAgain, whyNot } }: Pick<Props, "run"> & { again: Again }) {
  const { icon: Glyph, label, copy } = useCopyLink();
  return (
    <>
      {!whyNot && (
        <Menu.Item leftSection={<IconRefresh size={15} aria-hidden />} onClick={runAgain}>
          Run again…
        </Menu.Item>
      )}
      <CompareItems run={run} />
      <Menu.Item leftSection={<Glyph size={15} aria-hidden />} closeMenuOnClick={false} onClick={copy}>
        <span role="status">{label}</span>
      </Menu.Item>
    </>
  );
}
