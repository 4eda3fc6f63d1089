import { db } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { contextNotes } from "@/server/engine/note-context";
import type { RunContext } from "@/server/engine/run-context";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { RunRecorder } from "../recorder/run-recorder";
import { storeRuns } from "../recorder/store-runs";
import { type Ending, end } from "./endings";
import { childWork, delegate } from "./lead";
import { Random } from "./random";
import { fill, type Passage, type Story } from "./story";
import { taskOf } from "./words";
import { type CastTeam, MODEL } from "./workshop";

export type Stage = {
  workspaceId: WorkspaceId;
  teams: readonly CastTeam[];
  /** An agent that works by itself and asks before a tool, for the runs that wait for an approval. */
  careful: { agentVersionId: string; name: string } | null;
  passages: readonly Passage[];
  person: Story["person"];
  now: Date;
};

const DAYS = 60;
const DAY_MS = 86_400_000;
const RUNS_A_TRANSACTION = 25;

/** Of twenty runs; those that wait are among the newest only. */
const ENDINGS_OF_TWENTY: readonly Ending[] = [
  ...Array.from({ length: 9 }, () => "completes" as const),
  ...Array.from({ length: 5 }, () => "asks and completes" as const),
  ...(["fails", "fails", "is stopped", "reaches its limit", "is interrupted", "waits for an answer"] as const),
];

/** Runs of mixed ends over sixty days. Those stored before are left as they are. Returns how many were made. */
export async function storeManyRuns(stage: Stage, count: number): Promise<number> {
  const missing = await missingOf(
    stage.workspaceId,
    Array.from({ length: count }, (_, i) => runIdOf(stage.workspaceId, i)),
  );
  for (let from = 0; from < count; from += RUNS_A_TRANSACTION) {
    const runs: RunRecorder[] = [];
    for (let i = from; i < Math.min(from + RUNS_A_TRANSACTION, count); i++) {
      if (missing.has(runIdOf(stage.workspaceId, i))) runs.push(tellRun(stage, i, count));
    }
    if (runs.length) await storeRuns(runs);
  }
  return missing.size;
}

const runIdOf = (workspaceId: WorkspaceId, i: number) => deriveId(workspaceId, `scale run ${i}`);

/** Which of these runs are not stored yet. */
export async function missingOf(workspaceId: WorkspaceId, ids: readonly string[]): Promise<Set<string>> {
  const stored = await db().run.findMany({ where: { workspaceId, id: { in: [...ids] } }, select: { id: true } });
  const missing = new Set(ids);
  for (const { id } of stored) missing.delete(id);
  return missing;
}

/** Every third run is about a case that others are about, too. */
function aboutOf(i: number): RunContext | null {
  if (i % 3 !== 0) return null;
  const random = new Random(`about ${i}`);
  const id = String(4_700 + random.between(1, 40));
  return {
    variables: [
      { name: "priority", value: random.between(1, 5) },
      { name: "urgent", value: random.chance(0.2) },
    ],
    entities: [{ type: "case", id, label: `Case ${id}` }],
  };
}

function tellRun(stage: Stage, i: number, count: number): RunRecorder {
  const { workspaceId, teams, careful } = stage;
  const random = new Random(`run ${i}`);
  const createdAt = new Date(
    stage.now.getTime() - 3_600_000 - ((i + random.next()) / Math.max(count, 1)) * DAYS * DAY_MS,
  );
  let ending = ENDINGS_OF_TWENTY[i % ENDINGS_OF_TWENTY.length] ?? "completes";
  const waits = ending === "waits for an answer";
  if (waits && careful && i % 40 < 20) ending = "waits for an approval";
  const input = `${taskOf(random)}. Name the rule, quote the passage and say who decides.`;
  const byItself = ending === "waits for an approval" && careful;
  const team = teams[i % teams.length] as CastTeam;
  const run = new RunRecorder({
    ...{ id: runIdOf(workspaceId, i), workspaceId, title: input.split(".")[0] ?? input, input, createdAt },
    ...{ team: byItself ? null : team, agentVersionId: byItself ? byItself.agentVersionId : null },
    ...{ model: { ...MODEL, ref: `${MODEL.provider}/${MODEL.name}` }, startedById: stage.person?.id ?? null },
  });
  const story: Story = { run, random, passages: stage.passages, person: stage.person };
  const place = byItself ? { ...byItself, teamNodeId: null } : team.root;
  const about = aboutOf(i);
  const root = run.agent(place, input, [`You are ${place.name}.`, ...contextNotes(about)].join("\n\n"));
  if (about) run.note(root, about);
  run.wait(random.between(100, 2_000));
  run.move(root, "running");
  run.moveRun("running");
  if (!byItself) {
    for (let wave = random.between(1, 2); wave > 0; wave--) {
      const parts = team.root.below.slice(0, random.between(1, team.root.below.length));
      delegate(story, root, team.root, {
        parts: parts.map((cast) => ({ cast, play: childWork(story, random.between(3, 9)) })),
      });
    }
  }
  end(story, root, ending);
  return run;
}

/** The share of the large run's agents that lead. */
const SUB_LEADS = 9;
const WORKERS_A_WAVE = 4;

/**
 * One run of exactly so many steps, over exactly `agents` agent runs on three levels. Returns its id, or null when it was stored before.
 */
export async function storeLargeRun(
  stage: Stage,
  { steps, agents }: { steps: number; agents: number },
): Promise<string | null> {
  const { workspaceId } = stage;
  const id = deriveId(workspaceId, `scale run of ${steps} steps`);
  if ((await missingOf(workspaceId, [id])).size === 0) return null;
  const team =
    stage.teams.find(({ root }) => root.below.some(({ below }) => below.length)) ?? (stage.teams[0] as CastTeam);
  const random = new Random(`run of ${steps} steps`);
  const input = `Go through all ${steps.toLocaleString("en")} steps of the yearly review. Check every case, quote the rules, and write down what is open.`;
  const run = new RunRecorder({
    ...{
      id,
      workspaceId,
      team,
      agentVersionId: null,
      title: `Yearly review in ${steps.toLocaleString("en")} steps`,
      input,
    },
    ...{ model: { ...MODEL, ref: `${MODEL.provider}/${MODEL.name}` }, startedById: stage.person?.id ?? null },
    createdAt: new Date(stage.now.getTime() - 5 * 3_600_000),
  });
  const story: Story = { run, random, passages: stage.passages, person: stage.person };
  const root = run.agent(team.root, input, `You are ${team.root.name}.`);
  run.wait(600);
  run.move(root, "running");
  run.moveRun("running");

  const subLeads = Math.min(SUB_LEADS, Math.max(1, Math.floor(agents / 4)));
  const workers = agents - 1 - subLeads;
  /** Workers of the nth who leads. */
  const shareOf = (nth: number) => Math.floor(workers / subLeads) + (nth < workers % subLeads ? 1 : 0);
  const waves = Math.ceil(shareOf(0) / WORKERS_A_WAVE);
  const eachSteps = Math.max(1, Math.floor((steps - 60 - subLeads * (waves * 10 + 2)) / workers));
  for (let done = 0; done < subLeads; done += team.root.below.length) {
    const parts = team.root.below.slice(0, subLeads - done).map((cast, at) => ({
      cast,
      play: (sub: Parameters<ReturnType<typeof childWork>>[0]) => {
        for (let left = shareOf(done + at); left > 0 && cast.below.length; left -= WORKERS_A_WAVE) {
          const below = Array.from(
            { length: Math.min(WORKERS_A_WAVE, left) },
            (_, n) => cast.below[n % cast.below.length] as typeof cast,
          );
          delegate(story, sub, cast, {
            parts: below.map((worker) => ({ cast: worker, play: childWork(story, eachSteps) })),
          });
        }
        childWork(story, 3)(sub);
      },
    }));
    delegate(story, root, team.root, { parts });
  }
  // To the very step: an answer is one, and every search before it two.
  fill(story, root, steps);
  await storeRuns([run]);
  return id;
}
