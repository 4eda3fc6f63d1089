import { expect, test } from "vitest";
import { firstOptions } from "./first-options";

const agents = Array.from({ length: 201 }, (_, n) => ({ value: `a${n}`, label: `Clerk ${n}`, disabled: false }));

test("more options than are listed at once say so, and each is found by typing", () => {
  const [all] = firstOptions({ options: agents, search: "", limit: 10 });
  expect(all).toEqual({ group: "The first 100 of 201. Type to find another.", items: agents.slice(0, 100) });
  expect(firstOptions({ options: agents, search: "clerk 200 ", limit: 10 })).toEqual([agents[200]]);
});

test("what can be listed whole says nothing", () => {
  expect(firstOptions({ options: agents.slice(0, 100), search: "", limit: 10 })).toEqual(agents.slice(0, 100));
});
