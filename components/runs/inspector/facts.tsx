import Link from "next/link";
import type { ReactNode } from "react";
import { AgentLink } from "@/components/runs/inspector/agent-link";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { decisionTitle } from "@/components/runs/run-labels";
import { mailsAt, mailWords } from "@/components/runs/run-mails";
import { agentKey, decisionKey } from "@/components/runs/run-nodes";
import type { Spent } from "@/components/runs/run-spent";
import { isModelCall } from "@/components/runs/run-step-words";
import { doneWords, queuesAt, taskOf } from "@/components/runs/run-tasks";
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatExact,
  formatPlural,
} from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { StatusBadge } from "@/components/ui/status";
import type { AgentRow, StepRow } from "@/server/engine/events";
import { isHeld } from "@/server/engine/state";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** State, times, tokens, cost, and where it comes from. */
export function Facts({ state, node, nowMs, onSelect }: TabProps) {
  const { item } = node;
  const runStartMs = Date.parse(state.run.createdAt);
  const agent = state.agents.find(
    (each) => each.id === (item.type === "agent" ? item.agent.parentId : agentIdOf(node)),
  );
  const opener =
    item.type === "agent" ? state.decisions.find((decision) => decision.id === item.agent.spawnedById) : null;
  const reason = item.type === "agent" ? item.agent.statusReason : null;
  const goesOn = node.endMs === null || node.status === "waiting" || isHeld(node.status);
  return (
    <dl>
      <Fact name="State">
        <StatusBadge status={node.status} reason={reason} word={node.word} />
      </Fact>
      <Fact name="Started">
        <span suppressHydrationWarning>{formatExact(new Date(node.startMs))}</span>
        {node.startMs > runStartMs && (
          <span className="t3 block fs12">{formatDuration(node.startMs - runStartMs)} after the run began</span>
        )}
      </Fact>
      <Fact name="Took">
        {node.endMs === null ? formatElapsed(nowMs - node.startMs) : formatDuration(node.endMs - node.startMs)}
        {goesOn && <span className="t3"> so far</span>}
      </Fact>
      {item.type === "agent" && (
        <Fact name="Handle">
          <span className="mono">{item.agent.handle}</span>
        </Fact>
      )}
      {item.type === "step" && <Fact name={isModelCall(item.kind) ? "Model" : "Tool"}>{stepName(node)}</Fact>}
      {item.type === "step" && item.step?.reused ? (
        <ReusedFact run={state.run} reused={item.step.reused} />
      ) : (
        <SpentFacts own={node.own} tree={node.tree} isCall={item.type === "step" && isModelCall(item.kind)} />
      )}
      {item.type === "step" && item.step && !isModelCall(item.kind) && (
        <Fact name="Size">
          {formatBytes(item.step.inputBytes)} in, {formatBytes(item.step.outputBytes)} out
        </Fact>
      )}
      {/* What a model call was sent is messages of the agent run, which are not counted again for each call. */}
      {item.type === "step" && item.step && isModelCall(item.kind) && item.step.outputBytes > 0 && (
        <Fact name="Reply size">{formatBytes(item.step.outputBytes)}</Fact>
      )}
      {opener && (
        <Fact name="Started by">
          <button type="button" className="linkbtn" onClick={() => onSelect(decisionKey(opener.id), "decision")}>
            {decisionTitle(opener)}
          </button>
        </Fact>
      )}
      {agent && (
        <Fact name={item.type === "agent" ? "Child of" : "Agent"}>
          <AgentLink state={state} onSelect={onSelect} id={agent.id} />
        </Fact>
      )}
      {item.type === "agent" && <AmongThemselves state={state} onSelect={onSelect} agent={item.agent} />}
    </dl>
  );
}

/** Tasks and letters of an agent run, which have tabs of their own. */
function AmongThemselves({ state, onSelect, agent }: Pick<TabProps, "state" | "onSelect"> & { agent: AgentRow }) {
  const given = taskOf(state, agent.id);
  const tasks = queuesAt(state, agent).flatMap((queue) => queue.tasks);
  const mails = mailsAt(state, agent);
  const leadsTo = (id: string, tab: string, words: string) => (
    <button type="button" className="linkbtn" onClick={() => onSelect(agentKey(id), tab)}>
      {words}
    </button>
  );
  return (
    <>
      {given && (
        <Fact name="Works on">
          {leadsTo(given.owner.id, "tasks", `Task ${given.task.number} of ${given.owner.name}`)}
          <span className="t3 block fs12">{given.task.subject}</span>
        </Fact>
      )}
      {tasks.length > 0 && <Fact name="Tasks">{leadsTo(agent.id, "tasks", doneWords(tasks))}</Fact>}
      {mails.length > 0 && <Fact name="Mail">{leadsTo(agent.id, "mail", mailWords(mails))}</Fact>}
    </>
  );
}

function agentIdOf({ item }: TabProps["node"]): string | null {
  if (item.type === "step") return item.agentRunId;
  return item.type === "decision" ? item.decision.agentRunId : null;
}

function stepName({ item }: TabProps["node"]): ReactNode {
  if (item.type !== "step") return null;
  const turn = item.step?.turn ?? item.open?.turn;
  return (
    <>
      <span className="mono">{item.step?.name ?? item.open?.name ?? item.request?.call?.tool ?? "user__ask"}</span>
      {turn !== undefined && <span className="t3"> in turn {turn}</span>}
    </>
  );
}

/** Of a step that was copied: where from, and what it used there. */
function ReusedFact({ run, reused }: { run: TabProps["state"]["run"]; reused: NonNullable<StepRow["reused"]> }) {
  const tokens = reused.inputTokens + reused.outputTokens;
  return (
    <Fact name="Reused">
      {run.forkOf ? (
        <Link href={`/runs/${run.forkOf.id}`} prefetch={false}>
          From “{run.forkOf.title}”
        </Link>
      ) : (
        "From a run that was deleted"
      )}
      {tokens > 0 && (
        <span className="t3 block fs12">
          {formatCount(tokens)} tokens
          {reused.costNanoUsd !== null && (
            <>
              {" "}
              and <Money nanoUsd={reused.costNanoUsd} unpricedCalls={0} />
            </>
          )}{" "}
          there, not counted again
        </span>
      )}
    </Fact>
  );
}

function SpentFacts({ own, tree, isCall }: { own: Spent | null; tree: Spent | null; isCall: boolean }) {
  if (!own) return null;
  // An answered call used something: a provider that counts nothing is not free (LLM-OBS-11).
  if (isCall && own.inputTokens + own.outputTokens === 0) {
    return (
      <Fact name="Tokens">
        <span className="t3">no usage data: the provider did not say, so the cost is unknown</span>
      </Fact>
    );
  }
  const below = tree && (tree.inputTokens !== own.inputTokens || tree.outputTokens !== own.outputTokens) ? tree : null;
  return (
    <>
      <Fact name="Tokens">
        {formatCount(own.inputTokens)} in, {formatCount(own.outputTokens)} out
        {below && (
          <span className="t2 block">
            {formatCount(below.inputTokens)} in, {formatCount(below.outputTokens)} out with its agents
          </span>
        )}
      </Fact>
      <Fact name="Cost">
        <Money nanoUsd={own.costNanoUsd} unpricedCalls={own.unpricedCalls} />
        {own.unpricedCalls > 0 && (
          <span className="t3">
            {" "}
            {isCall
              ? "no price is set for this model"
              : `${formatPlural(own.unpricedCalls, "call")} without a known cost`}
          </span>
        )}
        {below && (
          <span className="t2 block">
            <Money nanoUsd={below.costNanoUsd} unpricedCalls={below.unpricedCalls} /> with its agents
          </span>
        )}
      </Fact>
    </>
  );
}
