import { expect, test } from "vitest";
import { agentRow, uuid } from "../run-test-log";
import { stopAgentWords } from "./stop-agent-words";

const lead = agentRow(uuid(10), { name: "Lead", status: "running" });
const searcher = agentRow(uuid(11), { name: "Searcher", parentId: lead.id, status: "running" });
const below = (n: number, parentId: string, status: "running" | "completed" = "running") =>
  agentRow(uuid(n), { parentId, status });

test("stopping an agent says what ends with it and who is told", () => {
  expect(stopAgentWords([lead, searcher], searcher)).toMatch(
    /^It ends now\. .* Lead is told so and decides what to do\./,
  );
  const helper = below(12, searcher.id);
  expect(stopAgentWords([lead, searcher, helper], searcher)).toMatch(/^It ends now, and so does the agent below it\. /);
  const deeper = [helper, below(13, helper.id), below(14, helper.id, "completed")];
  expect(stopAgentWords([lead, searcher, ...deeper], searcher)).toMatch(/, and so do the 2 agents below it\. /);
});
