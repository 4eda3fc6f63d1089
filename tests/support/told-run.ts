import { agentRow, at, decisionRow, stepRow, treeOf, uuid } from "@/components/runs/run-test-log";
import type { DecisionKind, StepKind } from "@/server/engine/events";
import type { RunStatus } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";

type Agent = {
  name: string;
  /** Which agent of the list started it, with which of the lines that agent is told by; absent: it is the root. */
  by?: { agent: number; line: number };
  task?: string;
  status?: RunStatus;
  /** Second it began in; each line takes one. */
  from?: number;
  /**
   * What it did, one line each: steps as "model", "tool search" and "tool search failed"; what a model chose as "→ search",
   * "→ agent:Searcher" and "→ answer"; other decisions as "decides retry".
   */
  did: string[];
};

/** A run told by what its agents did. `run` keeps the ids of several apart. */
export function toldRun(run: number, agents: readonly Agent[]): RunTree {
  const tree = treeOf();
  const agentId = (index: number) => uuid(run * 100_000_000 + index);
  const decisionId = (index: number, line: number) => uuid(run * 100_000_000 + (index + 1) * 20_000 + line);
  agents.forEach(({ name, by, task = "Do the work", status = "completed", from = 0, did }, index) => {
    const id = agentId(index);
    const ended = status === "completed" || status === "failed";
    tree.agents.push(
      agentRow(id, {
        ...{ name, task, status, createdAt: at(from), startedAt: at(from) },
        finishedAt: ended ? at(from + did.length) : null,
        parentId: by ? agentId(by.agent) : null,
        spawnedById: by ? decisionId(by.agent, by.line) : null,
      }),
    );
    let position = -1;
    did.forEach((line, second) => {
      const [what = "", which = "", failed] = line.split(" ");
      if (what === "→" || what === "decides") {
        tree.decisions.push(
          decisionRow(decisionId(index, second), id, {
            ...{ position, ordinal: second, at: at(from + second) },
            kind: what === "→" ? kindOf(which) : (which as DecisionKind),
            chosen: [{ option: which, label: which.replace("agent:", ""), position: null, reason: null }],
          }),
        );
        return;
      }
      position += 1;
      tree.steps.push(
        stepRow(id, position, {
          ...{ kind: what as StepKind, name: which || "rehearsal", startedAt: at(from + second) },
          ...(failed ? { status: "failed", error: { code: "timeout", message: "No answer" } } : {}),
        }),
      );
    });
  });
  return tree;
}

function kindOf(option: string): DecisionKind {
  if (option === "answer") return "finish";
  return option.startsWith("agent:") ? "delegate" : "tool_choice";
}
