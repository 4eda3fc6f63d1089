import fc from "fast-check";
import { validate, version } from "uuid";
import { expect, test } from "vitest";
import { z } from "zod";
import { deriveId, handleOf, hashOf } from "./ids";

test("a derived id is a UUID of version 8 that the product's schemas accept", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (owner, place) => {
      const id = deriveId(owner, place);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(8);
      expect(z.uuid().safeParse(id).success).toBe(true);
    }),
  );
});

test("the same owner and place give the same id, others give others", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.string(), fc.string(), (a, b, here, there) => {
      expect(deriveId(a, here)).toBe(deriveId(a, here));
      if (here !== there) expect(deriveId(a, here)).not.toBe(deriveId(a, there));
      if (a !== b) expect(deriveId(a, here)).not.toBe(deriveId(b, here));
    }),
  );
});

test("derived ids never change: a run begun by an older version finds its children again", () => {
  expect(deriveId("0193a0b4-0000-7000-8000-000000000001", "child 3")).toBe("5da84786-a039-80d4-b089-e1a800b1a03b");
});

test("a hash is that of the text's bytes", () => {
  expect(hashOf("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(hashOf("é")).not.toBe(hashOf("e\u0301"));
});

test("a handle is short, readable and safe in JSON, whatever the agent is called", () => {
  expect(handleOf("0193a0b4-0000-7000-8000-000000000001", "Fact-checker (EU)")).toBe("agent_fact-checker-eu_0193a0b4");
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (id, name) => {
      expect(handleOf(id, name)).toMatch(/^agent_([a-z0-9]+(-[a-z0-9]+)*)?_[0-9a-f]{8}$/);
    }),
  );
});
