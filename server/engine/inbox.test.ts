import { expect, test } from "vitest";
import { MAIL_KINDS, type Mail } from "./events";
import { mailUnit, readingOrder } from "./inbox";

const mail = (id: string, kind: Mail["kind"], sentAt: string) => ({ id, kind, sentAt });

test("what was done is read before what was said, and each in the order it was sent", () => {
  const mails = [
    mail("d", "text", "2026-01-01T00:00:02.000Z"),
    mail("a", "text", "2026-01-01T00:00:01.000Z"),
    mail("c", "task_completed", "2026-01-01T00:00:04.000Z"),
    mail("b", "task_completed", "2026-01-01T00:00:03.000Z"),
  ];
  expect(readingOrder(mails).map(({ id }) => id)).toEqual(["b", "c", "a", "d"]);
  expect(mails.map(({ id }) => id)).toEqual(["d", "a", "c", "b"]);
});

test("the order is one and the same, however the letters come", () => {
  const mails = MAIL_KINDS.flatMap((kind) =>
    ["a", "b", "c"].map((id) => mail(`${kind} ${id}`, kind, "2026-01-01T00:00:00.000Z")),
  );
  const ordered = readingOrder(mails);
  for (let turn = 1; turn < mails.length; turn++) {
    expect(readingOrder([...mails.slice(turn), ...mails.slice(0, turn)])).toEqual(ordered);
  }
});

test("a letter is stored unread, and the event says the same", () => {
  const sent = {
    id: "m",
    fromId: "f",
    toId: "t",
    kind: "text",
    text: "Hello",
    sentAt: "2026-01-01T00:00:00.000Z",
  } as const;
  expect(mailUnit(sent)).toEqual({
    mails: [sent],
    events: [{ body: { kind: "mail.sent", mail: { ...sent, readAt: null } } }],
  });
});
