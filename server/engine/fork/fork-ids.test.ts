import { describe, expect, test } from "vitest";
import { deriveId } from "../ids";
import { type Copied, forkIds, withIds } from "./fork-ids";

const RUN = "0190a000-0000-7000-8000-000000000001";
const FORK = "0190a000-0000-7000-8000-000000000002";
const ROOT = deriveId(RUN, "root");
const CHILD = deriveId(ROOT, "child 3");
const FOUND = "0190a000-0000-7000-8000-00000000000f";
const request = (place: string, position: number) => ({
  ...{ id: deriveId(ROOT, `request ${place}`), agentRunId: ROOT, position, kind: "question" },
});
const decision = (agentRunId: string, position: number, ordinal = 0) => ({
  ...{ id: deriveId(agentRunId, `decision ${position}.${ordinal}`), agentRunId, position, ordinal },
});

const copied: Copied = {
  agents: [
    { id: ROOT, parentId: null },
    { id: CHILD, parentId: ROOT },
    { id: deriveId(ROOT, "pattern 9"), parentId: ROOT },
    { id: FOUND, parentId: CHILD },
  ],
  decisions: [decision(ROOT, 2), decision(CHILD, 0, 50), { ...decision(ROOT, 4), id: RUN }],
  requests: [request("question 4", 4), request("effect 5.1 again 2", 5), request("approval 7", 7)],
  mails: [
    { id: deriveId(CHILD, "mail 1"), fromId: CHILD, toId: ROOT },
    { id: deriveId(ROOT, "mail about task 2"), fromId: CHILD, toId: ROOT },
  ],
  steers: [],
};

describe("ids of a fork", () => {
  const approval = copied.requests[2]?.id ?? "";
  const ids = forkIds(FORK, copied, new Map([[ROOT, 4]]), new Set([approval]));
  const root = deriveId(FORK, "root");
  const child = deriveId(root, "child 3");

  test("are derived from the copied agent run and the same place", () => {
    expect(copied.agents.map(({ id }) => ids.get(id))).toEqual([
      ...[root, child, deriveId(root, "pattern 9")],
      deriveId(FORK, FOUND),
    ]);
    expect(copied.decisions.map(({ id }) => ids.get(id))).toEqual([
      ...[deriveId(root, "decision 2.0"), deriveId(child, "decision 0.50")],
      // One taken from outside has no place.
      deriveId(FORK, RUN),
    ]);
    expect(copied.requests.slice(0, 2).map(({ id }) => ids.get(id))).toEqual([
      ...[deriveId(root, "request question 4"), deriveId(root, "request effect 5.1 again 2")],
    ]);
    expect(copied.mails.map(({ id }) => ids.get(id))).toEqual([
      ...[deriveId(child, "mail 1"), deriveId(root, "mail about task 2")],
    ]);
  });

  test("are not found where what was set aside is asked anew", () => {
    expect(ids.get(approval)).toBe(deriveId(FORK, approval));
  });

  test("take the place of the old ones wherever these stand alone, and nowhere in what somebody wrote", () => {
    const event = { agent: { id: CHILD, parentId: ROOT, task: `Look at ${ROOT}` }, mailIds: [ROOT], other: RUN };
    expect(
      withIds(
        JSON.stringify(event),
        new Map([
          [ROOT, root],
          [CHILD, child],
        ]),
      ),
    ).toEqual({
      ...{ agent: { id: child, parentId: root, task: `Look at ${ROOT}` }, mailIds: [root], other: RUN },
    });
  });
});
