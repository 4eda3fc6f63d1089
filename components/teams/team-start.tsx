"use client";

import { IconMessage, IconPlayerPlay } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { ASK_HINT, RUN_HINT } from "@/components/runs/ask-or-run";
import { useStartRun } from "@/components/runs/start-run-provider";
import type { TeamDetail } from "@/server/teams/schema";

/** Gives the published team something to do: once, or in a conversation. */
export function TeamStart({ team, filled }: { team: TeamDetail; filled: boolean }) {
  const router = useRouter();
  const startRun = useStartRun();
  const whyNotAct = useWhyNotAct();
  const whyNot =
    whyNotAct ?? (team.versions.length === 0 ? "Publish it first: a run uses the published version." : null);
  return (
    <>
      <ReasonButton
        leftSection={<IconMessage size={15} aria-hidden />}
        whyNot={whyNot}
        hint={ASK_HINT}
        onClick={() => router.push(`/conversations/new?teamId=${team.id}`)}
      >
        Ask
      </ReasonButton>
      <ReasonButton
        variant={filled && !whyNot ? "filled" : "default"}
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        whyNot={whyNot}
        hint={RUN_HINT}
        onClick={() => startRun.open({ target: { kind: "team", id: team.id } })}
      >
        Run…
      </ReasonButton>
    </>
  );
}
