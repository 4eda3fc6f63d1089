import { expect, test } from "vitest";
import { isInTheirWords, runEventBody } from "./events";
import { dataToPublish, MOST_DATA_CHARACTERS, publishedData } from "./published-event";

const AT = "2026-11-25T08:00:00.000Z";
const whyNot = (data: unknown) =>
  dataToPublish
    .safeParse(data)
    .error?.issues.map(({ message }) => message)
    .join();
/** `levels` objects within each other. */
const nested = (levels: number): object => (levels > 1 ? { in: nested(levels - 1) } : {});

test("data is a JSON object, and nothing else is", () => {
  for (const data of [{}, { id: "4711", items: [1, { two: null }], paid: false }]) {
    expect(dataToPublish.parse(data)).toEqual(data);
  }
  for (const data of ["text", 5, [1], true]) expect(whyNot(data)).toBe("A JSON object, or leave it out.");
});

test("data has at most 4,000 characters when it is published, and may be longer when it is told", () => {
  const ofLength = (length: number) => ({ note: "x".repeat(length - '{"note":""}'.length) });
  expect(whyNot(ofLength(MOST_DATA_CHARACTERS))).toBeUndefined();
  const longer = ofLength(MOST_DATA_CHARACTERS + 1);
  expect(whyNot(longer)).toBe("At most 4,000 characters as JSON.");
  expect(publishedData.parse(longer)).toEqual(longer);
});

test("fields that cannot be carried to a browser or be stored are refused, wherever they are", () => {
  for (const field of ["constructor", "prototype"])
    expect(whyNot({ [field]: 1 })).toBe(`A field cannot be called ${field}.`);
  expect(whyNot({ in: [JSON.parse('{"__proto__": 1}')] })).toBe("A field cannot be called __proto__.");
  for (const field of ["a\0", "a\ud800", "\udc00a"]) {
    expect(whyNot({ in: [{ [field]: 1 }] })).toBe("The name of a field holds a character that is none.");
  }
  expect(whyNot({ "a \ud83d\ude00 b": "constructor" })).toBeUndefined();
});

test("data is as deep as 20 levels", () => {
  expect(whyNot(nested(20))).toBeUndefined();
  expect(whyNot(nested(21))).toBe("At most 20 lists and objects within each other.");
  expect(whyNot(nested(1_500))).toContain("At most 20 lists");
});

test("an event of an agent's own is an event like all others, and its data is checked wherever it comes from", () => {
  const body = { kind: "agent.published", name: "order.shipped", data: { id: "4711" }, at: AT };
  expect(runEventBody.parse(body)).toEqual(body);
  expect(runEventBody.safeParse({ ...body, data: null }).success).toBe(true);
  for (const data of [undefined, "text", { constructor: 1 }]) {
    expect(runEventBody.safeParse({ ...body, data }).success).toBe(false);
  }
  expect(["agent.published", "agent.context", "agent.todo", "mail.sent"].filter(isInTheirWords)).toHaveLength(2);
});
