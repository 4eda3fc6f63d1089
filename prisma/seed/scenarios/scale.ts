import { db } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { storeConversations } from "../scale/conversations";
import { readPassages, storeDocuments } from "../scale/documents";
import type { ScaleOptions } from "../scale/options";
import { type Stage, storeLargeRun, storeManyRuns } from "../scale/runs";
import { findOrCreateAgents, findOrCreateSurroundings, findOrCreateTeams } from "../scale/workshop";
import { findOrCreateWorkspace } from "./first-workspace";

const AGENT_RUNS_OF_THE_LARGE_RUN = 200;

/**
 * Much of everything in the first workspace, for looking and measuring. The same every time: what is there already stays as it is,
 * so it can be run again, also after it was cut off or with larger numbers. Says in a sentence what it made.
 */
export async function scale(options: ScaleOptions, say: (line: string) => void = () => {}): Promise<string> {
  const workspace = await findOrCreateWorkspace(db());
  const workspaceId = workspace.id;
  const timed = timer(say);
  const { baseId } = await timed("provider, tool server and base", () => findOrCreateSurroundings(workspaceId));
  const agents = await timed(`${options.agents} agents`, () => findOrCreateAgents(workspaceId, { ...options, baseId }));
  const teams = await timed(`${options.teams} teams`, () => findOrCreateTeams(workspaceId, { ...options, agents }));
  await timed(`${options.documents} documents`, () => storeDocuments(workspaceId, { ...options, baseId }));

  const workers = agents.filter(({ leads }) => !leads);
  const described = workers.map(({ id, name, versionIds }) => ({ id, name, agentVersionId: versionIds.at(-1) ?? "" }));
  const careful = workers.findIndex(({ config }) => config.askBefore.length > 0);
  const stage: Stage = {
    ...{ workspaceId, teams, careful: described[careful] ?? null, now: new Date() },
    passages: await readPassages(workspaceId, baseId),
    person: await findPerson(workspaceId),
  };
  await timed(`${options.runs} runs`, () => storeManyRuns(stage, options.runs));
  if (options.steps > 0) {
    const large = {
      steps: options.steps,
      agents: Math.min(AGENT_RUNS_OF_THE_LARGE_RUN, Math.ceil(options.steps / 20)),
    };
    await timed(`a run of ${options.steps} steps`, () => storeLargeRun(stage, large));
  }
  const count = options.conversations;
  await timed(`${count} conversations`, () => storeConversations(stage, { count, agents: described }));
  return `The workspace “${workspace.name}” holds ${options.agents} agents, ${options.teams} teams, ${options.documents} documents, ${options.runs} runs, one of ${options.steps} steps, and ${count} conversations of the scale seed.`;
}

async function findPerson(workspaceId: WorkspaceId): Promise<Stage["person"]> {
  const first = await db().member.findFirst({
    where: { workspaceId },
    orderBy: { createdAt: "asc" },
    select: { user: { select: { id: true, name: true } } },
  });
  return first?.user ?? null;
}

function timer(say: (line: string) => void) {
  return async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const done = await work();
    say(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
    return done;
  };
}
