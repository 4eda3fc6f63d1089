import { db } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import type { ModelMessage } from "@/server/models/model";
import { RunRecorder } from "../recorder/run-recorder";
import { storeRuns } from "../recorder/store-runs";
import { Random } from "./random";
import { missingOf, type Stage } from "./runs";
import { type Story, work } from "./story";
import { taskOf } from "./words";
import { MODEL } from "./workshop";

const CONVERSATIONS_A_TRANSACTION = 25;

/** Conversations of two to six turns with one agent each. Returns how many were made. */
export async function storeConversations(
  stage: Stage,
  { count, agents }: { count: number; agents: readonly { id: string; name: string; agentVersionId: string }[] },
): Promise<number> {
  const { workspaceId } = stage;
  const all = Array.from({ length: count }, (_, i) => i);
  const firsts = await missingOf(
    workspaceId,
    all.map((i) => deriveId(workspaceId, `scale turn ${i}.0`)),
  );
  const missing = all.filter((i) => firsts.has(deriveId(workspaceId, `scale turn ${i}.0`)));
  for (let from = 0; from < missing.length; from += CONVERSATIONS_A_TRANSACTION) {
    const told = missing.slice(from, from + CONVERSATIONS_A_TRANSACTION).map((i) => tell(stage, i, count, agents));
    await db().conversation.createMany({ data: told.map(({ row }) => row), skipDuplicates: true });
    await storeRuns(told.flatMap(({ turns }) => turns));
  }
  return missing.length;
}

function tell(
  stage: Stage,
  i: number,
  count: number,
  agents: readonly { id: string; name: string; agentVersionId: string }[],
) {
  const { workspaceId, person } = stage;
  const random = new Random(`conversation ${i}`);
  const agent = random.pick(agents);
  const id = deriveId(workspaceId, `scale conversation ${i}`);
  const begun = stage.now.getTime() - 7_200_000 - ((i + random.next()) / count) * 60 * 86_400_000;
  const history: ModelMessage[] = [];
  let at = new Date(begun);
  const turns = Array.from({ length: random.between(2, 6) }, (_, turn) => {
    const input =
      turn === 0
        ? `${taskOf(random)}. What does the handbook say?`
        : random.pick(["And who decides that?", "Since when?", "Which page says so?", `And ${taskOf(random)}?`]);
    const run = new RunRecorder({
      ...{ id: deriveId(workspaceId, `scale turn ${i}.${turn}`), workspaceId, conversationId: id, title: input, input },
      ...{ team: null, agentVersionId: agent.agentVersionId, startedById: person?.id ?? null, createdAt: at },
      model: { ...MODEL, ref: `${MODEL.provider}/${MODEL.name}` },
    });
    const story: Story = { run, random, passages: stage.passages, person };
    const root = run.agent({ ...agent, teamNodeId: null }, input, `You are ${agent.name}.`, undefined, [...history]);
    run.wait(300);
    run.move(root, "running");
    run.moveRun("running");
    work(story, root, 3 + random.between(0, 1) * 2);
    history.push({ role: "user", content: input }, { role: "assistant", content: run.status.answer ?? "", calls: [] });
    at = new Date(run.now.getTime() + random.between(20_000, 600_000));
    return run;
  });
  const title = turns[0]?.head.input ?? "";
  const row = {
    id,
    workspaceId,
    agentId: agent.id,
    title,
    createdById: person?.id ?? null,
    createdAt: new Date(begun),
    updatedAt: at,
  };
  return { row, turns };
}
