import { expect, test } from "vitest";
import { atOnce, eachInParts, inParts, type Parts } from "./in-parts";

function* busy(parts: number, partMs: number): Parts<number> {
  for (let part = 0; part < parts; part++) {
    const until = performance.now() + partMs;
    while (performance.now() < until);
    yield;
  }
  return parts;
}

test("others have a turn while long work is done", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await inParts(busy(40, 2))).toBe(40);
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});

test("what is done in parts is what is done at once, also of nothing", async () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  const inTurns: number[] = [];
  await inParts(eachInParts(numbers, (number) => inTurns.push(number)));
  expect(inTurns).toEqual(numbers);
  const inOneGo: number[] = [];
  atOnce(eachInParts(numbers, (number) => inOneGo.push(number)));
  expect(inOneGo).toEqual(numbers);
  await inParts(eachInParts([], () => expect.unreachable()));
});

test("what goes wrong in a part is thrown", async () => {
  const fails = () => {
    throw new Error("of this part");
  };
  await expect(inParts(eachInParts([1], fails))).rejects.toThrow("of this part");
});
