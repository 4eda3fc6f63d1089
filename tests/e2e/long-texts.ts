import { expect, type Page } from "@playwright/test";

/** The longest the product takes, without a place to break, from right to left, and with signs of two code units. */
export const LONG = {
  word: "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen".slice(0, 60),
  mixed: "🧑‍🚀🚀 وكيل البحث والتلخيص متعدد اللغات الطويل جدا 🧭",
  /** Begins with what would run or load something, were it ever markup (A40). */
  sentence:
    `<img src=x onerror=window.ran=1><script>window.ran=1</script> [a](javascript:window.ran=1) \u001b[31m ${"x".repeat(120)} ${"Every single word of this question matters to the person who asks it. ".repeat(2)}`.slice(
      0,
      300,
    ),
};

async function call<Result>(page: Page, path: string, input: object): Promise<Result> {
  const response = await page.request.post(`/api/trpc/${path}`, { data: { json: input } });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()).result.data.json as Result;
}

/** Fills a workspace with one of everything, named as long and as awkwardly as is allowed; gives the pages of it all. */
export async function fillWithLongTexts(page: Page): Promise<string[]> {
  await call(page, "users.updateProfile", { name: `${LONG.mixed} ${LONG.word}`.slice(0, 100) });
  const { baseId } = await call<{ baseId: string }>(page, "knowledge.create", {
    name: `${LONG.word}${LONG.word}`.slice(0, 80),
    description: LONG.sentence,
    embeddingModel: "built-in",
  });
  const name = `${"w".repeat(195)}.md`;
  const uploaded = await page.request.post(`/api/upload?${new URLSearchParams({ baseId, name })}`, {
    headers: { "content-type": "application/octet-stream" },
    data: `# ${LONG.sentence}\n\n${"y".repeat(400)} ${LONG.mixed}\n\n| ${"z".repeat(120)} | b |\n|---|---|\n| 1 | 2 |`,
  });
  expect(uploaded.ok(), await uploaded.text()).toBe(true);
  const documentId = ((await uploaded.json()) as { document: { id: string } }).document.id;

  const agent = async (agentName: string, canSpawnAgents: boolean) => {
    const config = {
      purpose: LONG.sentence,
      instructions: `${LONG.sentence}\n\n${LONG.mixed}`,
      knowledge: [baseId],
      canSpawnAgents,
    };
    const { agentId } = await call<{ agentId: string }>(page, "agents.create", { name: agentName, config });
    await call(page, "agents.publish", { agentId, draftRevision: await revisionOf(page, "agents", { agentId }) });
    return agentId;
  };
  const lead = await agent(LONG.word, true);
  const helper = await agent(LONG.mixed, false);
  const second = await agent(`2 ${LONG.word}`.slice(0, 60), false);
  const { teamId } = await call<{ teamId: string }>(page, "teams.create", {
    name: LONG.word.split("").reverse().join(""),
    draft: {
      description: LONG.sentence,
      pattern: "coordinate",
      example: LONG.sentence,
      root: {
        agentId: lead,
        purpose: null,
        children: [helper, second].map((agentId) => ({ agentId, purpose: LONG.sentence, children: [] })),
      },
    },
  });
  await call(page, "teams.publish", { teamId, draftRevision: await revisionOf(page, "teams", { teamId }) });
  const server = await call<{ id: string }>(page, "toolServers.create", {
    name: "q".repeat(20),
    transport: "stdio",
    url: "",
    command: `/${"nowhere".repeat(20)}`,
    args: ["a".repeat(300), LONG.mixed],
  });
  await call(page, "providers.create", {
    name: "p".repeat(40),
    baseUrl: `https://${"long".repeat(12)}.example.test/${"v1".repeat(60)}`,
    models: [
      { name: "m".repeat(200), kind: "chat", contextTokens: 1, inputNanoUsdPerMtok: 0, outputNanoUsdPerMtok: null },
    ],
  });
  await call(page, "members.createInvite", { role: "viewer", note: LONG.word.repeat(2).slice(0, 100) });
  const { runId } = await call<{ runId: string }>(page, "runs.start", { teamId, input: LONG.sentence });
  const { conversationId } = await call<{ conversationId: string }>(page, "conversations.start", { teamId });
  await call(page, "conversations.ask", { conversationId, input: `${LONG.mixed} ${LONG.sentence}` });

  return [
    `/agents/${lead}`,
    `/teams/${teamId}`,
    `/knowledge/${baseId}`,
    `/knowledge/${baseId}?tab=search`,
    `/knowledge/${baseId}?tab=settings`,
    `/knowledge/${baseId}/documents/${documentId}`,
    `/tool-servers/${server.id}`,
    `/runs/${runId}`,
    `/conversations/${conversationId}`,
    `/conversations/new?teamId=${teamId}`,
  ];
}

async function revisionOf(page: Page, noun: "agents" | "teams", input: object): Promise<number> {
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  const response = await page.request.get(`/api/trpc/${noun}.get?input=${query}`);
  return ((await response.json()) as { result: { data: { json: { draftRevision: number } } } }).result.data.json
    .draftRevision;
}
