import { expect, test } from "vitest";
import { mailsAt, mailWords } from "./run-mails";
import { agentRow, at, mailView, uuid } from "./run-test-log";

const ROOT = uuid(10);
const SEARCHER = uuid(11);
const CHECKER = uuid(12);
const mails = [
  mailView(uuid(43), CHECKER, ROOT, { sentAt: at(3) }),
  mailView(uuid(42), SEARCHER, CHECKER, { sentAt: at(2), readAt: at(3) }),
  mailView(uuid(41), ROOT, SEARCHER, { sentAt: at(2), readAt: at(4) }),
];
const shown = (...agent: Parameters<typeof agentRow>) => mailsAt({ mails }, agentRow(...agent)).map(({ id }) => id);

test("an agent run shows what it sent and got, oldest first; the root all letters of the run", () => {
  expect(shown(ROOT)).toEqual([uuid(41), uuid(42), uuid(43)]);
  expect(shown(SEARCHER, { parentId: ROOT })).toEqual([uuid(41), uuid(42)]);
  expect(shown(uuid(13), { parentId: ROOT })).toEqual([]);
});

test("letters that nobody has read are counted apart", () => {
  expect([mailWords(mails), mailWords(mails.slice(1))]).toEqual(["3, 1 of them not read", "2"]);
});
