"use client";

import { IconMessage, IconPlayerPlay } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { ASK_HINT, RUN_HINT } from "@/components/runs/ask-or-run";
import { useStartRun } from "@/components/runs/start-run-provider";
import type { AgentDetail } from "@/server/agents/schema";

/** Gives the published agent something to do: once, or in a conversation. */
export function AgentStart({ agent, filled }: { agent: AgentDetail; filled: boolean }) {
  const router = useRouter();
  const startRun = useStartRun();
  const whyNotAct = useWhyNotAct();
  const whyNot =
    whyNotAct ?? (agent.versions.length === 0 ? "Publish it first: a run uses the published version." : null);
  return (
    <>
      <ReasonButton
        leftSection={<IconMessage size={15} aria-hidden />}
        whyNot={whyNot}
        hint={ASK_HINT}
        onClick={() => router.push(`/conversations/new?agentId=${agent.id}`)}
      >
        Ask
      </ReasonButton>
      <ReasonButton
        variant={filled ? "filled" : "default"}
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        whyNot={whyNot}
        hint={RUN_HINT}
        onClick={() => startRun.open({ target: { kind: "agent", id: agent.id } })}
      >
        Run…
      </ReasonButton>
    </>
  );
}
