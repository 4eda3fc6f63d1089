"use client";

import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { StopEverythingDialog } from "./stop-everything-dialog";
import { useControlEverything } from "./use-control-everything";

/** What can be done about all runs of the workspace at once. */
export function EverythingMenu() {
  return (
    <LoadBoundary pending={null} failed={null}>
      <Everything />
    </LoadBoundary>
  );
}

function Everything() {
  const trpc = useTRPC();
  const { active, paused } = useSuspenseQuery(trpc.runs.summary.queryOptions()).data;
  const whyNot = useWhyNotAct();
  const everything = useControlEverything();
  const [asks, dialog] = useDisclosure(false);
  const word = paused ? "Resume or stop all" : "Pause or stop all";
  const more = <IconChevronDown size={14} aria-hidden />;
  if (whyNot) {
    return (
      <ReasonButton whyNot={whyNot} onClick={() => {}} rightSection={more}>
        {word}
      </ReasonButton>
    );
  }
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button rightSection={more} loading={everything.isBusy}>
            {word}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {paused ? (
            <Menu.Item
              leftSection={<IconPlayerPlay size={15} aria-hidden />}
              onClick={() => everything.act("resumeAll")}
            >
              Resume everything
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconPlayerPause size={15} aria-hidden />}
              onClick={() => everything.act("pauseAll")}
            >
              Pause everything
            </Menu.Item>
          )}
          {active === 0 ? (
            <Menu.Label>No run is left to stop.</Menu.Label>
          ) : (
            <Menu.Item
              leftSection={<IconPlayerStop size={15} aria-hidden />}
              color="var(--st-failed)"
              onClick={dialog.open}
            >
              Stop everything…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <StopEverythingDialog
        opened={asks}
        onClose={dialog.close}
        runs={active}
        onConfirm={() => {
          dialog.close();
          everything.act("stopAll");
        }}
      />
    </>
  );
}
