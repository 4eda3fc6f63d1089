import { db, pool } from "@/server/db";
import { rememberExamples } from "@/server/examples/queries/facts";
import type { ModelRequest } from "@/server/models/model";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { converse, type Play, perform } from "../demo/plays";
import { isAnyWorkerAlive } from "../demo/set-back";
import { createStaff, type Soloist } from "../demo/staff";
import { PAGE_CONTEXT, PAGE_REQUEST, playWritingDesk } from "../demo/writing-desk";

type Desk = { workspaceId: WorkspaceId; teamId: string; baseId: string };

/**
 * Runs and conversations to look at on the first visit: finished, waiting, failed and interrupted ones. The engine carries them out here,
 * with the rehearsal model, which follows a script where its rules know no way, and all of it is remembered as examples. Left out while a worker is alive, which would carry them out too.
 */
export async function createExamples({ workspaceId, teamId, baseId }: Desk): Promise<void> {
  if (await isAnyWorkerAlive()) return;
  const { librarian, guide, toolServerId, writing } = await createStaff(workspaceId, baseId);
  const [team, writingTeam] = [await playOfTeam(teamId), await playOfTeam(writing.teamId)];
  const alone =
    ({ agentVersionId, name }: Soloist) =>
    (input: string): Play => ({
      ...{ teamId: null, teamVersionId: null, root: { nodeId: null, agentVersionId, name }, input },
    });
  const at = { workspaceId };
  const runs = [
    perform(
      {
        ...{
          ...at,
          play: team("How does a side effect that was cut off by a crash not happen twice?"),
          minutesBeforeToday: 26 * 60,
        },
        direct: (request) => (isFactChecker(request) ? "refuses" : "answers"),
        lastsMs: 96_000,
      },
      { does: "answer", answer: "Detailed" },
    ),
    perform(
      {
        ...at,
        play: alone(guide)("What is recorded about a decision, and where does its reason come from?"),
        minutesBeforeToday: 5 * 60,
      },
      { does: "answer", answer: "allow" },
    ),
    perform({
      ...at,
      play: { ...writingTeam(PAGE_REQUEST), context: PAGE_CONTEXT },
      direct: playWritingDesk(),
      minutesBeforeToday: 90,
      lastsMs: 150_000,
    }),
    perform(
      { ...at, play: team("What must be kept to restore an installation elsewhere?"), minutesBeforeToday: 35 },
      { does: "leave it" },
    ),
    perform({
      ...{
        ...at,
        play: alone(librarian)("Which addresses may the product call, and who allows them?"),
        // More than a day: what failed within one is told on Home and under System.
        minutesBeforeToday: 27 * 60,
      },
      ...{ direct: (request) => (hasSearched(request) ? "refuses" : "answers"), lastsMs: 14_000 },
    }),
    perform(
      {
        ...{
          ...at,
          play: alone(librarian)("How large may a document be, and what happens to scanned pages?"),
          minutesBeforeToday: 49 * 60,
        },
        ...{ direct: (request) => (hasSearched(request) ? "hangs" : "answers"), lastsMs: 30_000 },
      },
      { does: "interrupt it" },
    ),
  ];
  const conversations = [
    converse(workspaceId, librarian, {
      minutesBeforeToday: 4 * 60,
      questions: [
        "What is a knowledge base made of, and how are its documents searched?",
        "And how do citations survive when a document changes?",
        "What happens to a file that cannot be read?",
      ],
    }),
    converse(workspaceId, librarian, {
      minutesBeforeToday: 28 * 60,
      questions: [
        "How does a supervisor delegate work to its agents?",
        "And what happens when one of those agents fails?",
      ],
    }),
  ];
  const [runIds, talks] = await Promise.all([Promise.all(runs), Promise.all(conversations)]);
  const agents = await db().agentVersion.findMany({
    where: {
      workspaceId,
      OR: [
        { agentId: { in: [librarian.agentId, guide.agentId, ...writing.agentIds] } },
        { teamNodes: { some: { teamVersion: { teamId } } } },
      ],
    },
    select: { agentId: true },
  });
  await rememberExamples(workspaceId, pool(), {
    run: [...runIds, ...talks.flatMap((talk) => talk.runIds)],
    conversation: talks.map(({ conversationId }) => conversationId),
    ...{
      team: [teamId, writing.teamId],
      agent: agents.map(({ agentId }) => agentId),
      base: [baseId],
      tool_server: [toolServerId],
    },
  });
}

/** What the fact-checker of the demo team is told begins with this. */
const isFactChecker = ({ messages }: ModelRequest) =>
  messages.some(({ role, content }) => role === "system" && (content ?? "").includes("Verify what can be claimed"));
const hasSearched = ({ messages }: ModelRequest) => messages.some(({ role }) => role === "tool");

async function playOfTeam(teamId: string): Promise<(input: string) => Play> {
  const version = await db().teamVersion.findFirstOrThrow({
    where: { teamId },
    orderBy: { number: "desc" },
    select: {
      id: true,
      nodes: {
        where: { parentId: null },
        select: { id: true, agentVersionId: true, agentVersion: { select: { agent: { select: { name: true } } } } },
      },
    },
  });
  const root = version.nodes[0];
  if (!root) throw new Error("An example team has no supervisor.");
  const { id: nodeId, agentVersionId, agentVersion } = root;
  return (input) => ({
    teamId,
    teamVersionId: version.id,
    root: { nodeId, agentVersionId, name: agentVersion.agent.name },
    input,
  });
}
