import fc from "fast-check";
import { expect, test } from "vitest";
import { eachMessage, insertText, MessageReader, message, readString } from "./wire-messages";

const aMessage = fc
  .tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 300 }))
  .map(([type, body]) => message(type, Buffer.from(body)));

test("however the stream is cut, the same messages come out in the same order", () => {
  fc.assert(
    fc.property(fc.array(aMessage), fc.array(fc.integer({ min: 1, max: 50 })), (messages, sizes) => {
      const reader = new MessageReader();
      const taken: Buffer[] = [];
      let rest = Buffer.concat(messages);
      for (let i = 0; rest.length > 0; i++) {
        const size = sizes[i % sizes.length] ?? 7;
        reader.push(rest.subarray(0, size));
        rest = rest.subarray(size);
        for (let one = reader.take(true); one; one = reader.take(true)) taken.push(one);
      }
      expect(taken).toEqual(messages);
      expect([...eachMessage(Buffer.concat(messages))]).toEqual(messages);
    }),
  );
});

test("a message that claims an impossible length is an error, not a wait for ever", () => {
  const reader = new MessageReader();
  reader.push(Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]));
  expect(() => reader.take(true)).toThrow("invalid message length");
});

test("inserting text keeps length and the rest right", () => {
  const changed = insertText(message(0x50, Buffer.from("name\0sql\0")), 5, "c7_");
  expect(changed.readInt32BE(1)).toBe(changed.length - 1);
  const name = readString(changed, 5);
  expect([name.text, readString(changed, name.next).text]).toEqual(["c7_name", "sql"]);
});
