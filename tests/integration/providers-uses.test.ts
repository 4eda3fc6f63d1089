import { describe, expect, test } from "vitest";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { findUses } from "@/server/providers/queries";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { anAgent, aWorkspace } from "@/tests/support/factories";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("what uses a model on the %s database", (kind) => {
  useDatabase(kind);

  test("is an agent that would have it condense, and none where that is switched off", async () => {
    const workspaceId = await aWorkspace(db());
    const ref = "local/small";
    const usual = agentConfig.parse({ purpose: "", instructions: "" }).compaction;
    const make = (name: string, config: Partial<AgentConfig>) => anAgent(db(), workspaceId, { name, ...config });
    await make("Answers", { model: ref });
    await make("Condenses its conversation", { compaction: { ...usual, model: ref } });
    await make("Condenses results", { canSpawnAgents: true, summarizationModel: ref });
    await make("Condenses no conversation", { compaction: { ...usual, enabled: false, model: ref } });
    await make("Condenses no results", {
      ...{ canSpawnAgents: true, summarizationModel: ref },
      summarizationThreshold: null,
    });
    await make("Leads nobody", { summarizationModel: ref });
    await make("Uses another", { model: "local/large" });

    const expected = ["Answers", "Condenses its conversation", "Condenses results"];
    expect((await findUses(workspaceId, { ref })).agents).toEqual(expected);
    expect((await findUses(workspaceId, { provider: "local" })).agents).toEqual([...expected, "Uses another"]);
  });

  test("is a provider whose calls it stands in for, unless it is its own", async () => {
    const workspaceId = await aWorkspace(db());
    const resilience = { fallback: { use: "local/small", text: null, on: [] } };
    for (const name of ["local", "far"]) {
      const baseUrl = "http://localhost";
      await db().provider.create({ data: { id: crypto.randomUUID(), workspaceId, name, baseUrl, resilience } });
    }
    expect((await findUses(workspaceId, { ref: "local/small" })).providers).toEqual(["far", "local"]);
    expect((await findUses(workspaceId, { provider: "local" })).providers).toEqual(["far"]);
    await anAgent(db(), workspaceId, { name: "Falls back", fallbackModel: "local/small" });
    expect((await findUses(workspaceId, { ref: "local/small" })).agents).toEqual(["Falls back"]);
  });

  test("is read from configurations that were stored before there was anything to condense", async () => {
    const workspaceId = await aWorkspace(db());
    const { agentId, agentVersionId } = await anAgent(db(), workspaceId, { name: "Old" });
    const draft = { purpose: "", instructions: "", model: "local/small" };
    await db().agent.update({ where: { id: agentId }, data: { draft } });
    await db().agentVersion.update({ where: { id: agentVersionId }, data: { config: draft } });
    expect((await findUses(workspaceId, { ref: "local/small" })).agents).toEqual(["Old"]);
    expect((await findUses(workspaceId, { ref: "local/large" })).agents).toEqual([]);
  });
});
