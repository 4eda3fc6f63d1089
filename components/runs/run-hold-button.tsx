"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { ResumeDialog } from "./resume-dialog";
import { useOfferRunCommand } from "./run-commands";
import type { RunState } from "./run-state";
import type { RunControl } from "./use-control-run";

const CONTROLS = {
  pause: { word: "Pause", icon: IconPlayerPause, hint: "Nothing new begins. Calls under way end and are recorded." },
  resume: { word: "Resume", icon: IconPlayerPlay, hint: "It goes on after its last recorded step." },
};

/** Holds a run that moves, lets one that is held go on; one that a limit held is asked under which limits. Nothing once it has ended. */
export function RunHoldButton({ run, control }: { run: RunState["run"]; control: RunControl }) {
  const { offered, act, isBusy } = control;
  const trpc = useTRPC();
  const paused = useQuery(trpc.runs.summary.queryOptions()).data?.paused;
  const whyNotAct = useWhyNotAct();
  const [asks, dialog] = useDisclosure(false);
  const isAsked = offered === "resume" && run.status === "suspended";
  const press = isAsked ? dialog.open : act;
  const whyNotResume =
    offered === "resume" && paused
      ? `${paused.by || "Somebody"} paused everything. Resume everything first; then this one can go on.`
      : null;
  const whyNot = whyNotAct ?? whyNotResume;
  useOfferRunCommand(whyNot ? null : offered, press);
  if (offered === null) return null;
  const { word, icon: Glyph, hint } = CONTROLS[offered];
  return (
    <>
      <ReasonButton
        leftSection={<Glyph size={15} aria-hidden />}
        whyNot={whyNot}
        hint={hint}
        onClick={press}
        loading={isBusy}
      >
        {isAsked ? "Resume…" : word}
      </ReasonButton>
      {asks && <ResumeDialog run={run} control={control} onClose={dialog.close} />}
    </>
  );
}
