import { describe, expect, it } from "vitest";
import type { UploadResult } from "@/server/knowledge/schema";
import { type SendFile, UploadRefusal } from "./upload-file";
import { UploadQueue } from "./upload-queue";
import { problemOf } from "./upload-rules";

const BASE = "019aa6f0-0000-7000-8000-000000000001";
type Sent = {
  name: string;
  progress: (bytes: number) => void;
  store: (outcome: UploadResult["outcome"]) => void;
  refuse: (again: boolean) => void;
  aborted: () => boolean;
};

function setup() {
  const sent: Sent[] = [];
  const send: SendFile = ({ file, signal, onProgress }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      sent.push({
        name: file.name,
        progress: onProgress,
        store: (outcome) => resolve({ document: { id: "d", name: file.name } as UploadResult["document"], outcome }),
        refuse: (again) => reject(new UploadRefusal("No.", again)),
        aborted: () => signal.aborted,
      });
    });
  const queue = new UploadQueue(send);
  const states = () => queue.list().map(({ name, state }) => `${name} ${state}`);
  return { queue, sent, states };
}

const file = (name: string, content = "x") => new File([content], name);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the upload queue", () => {
  it("sends two at a time, in the order they were given", async () => {
    const { queue, sent, states } = setup();
    queue.add(BASE, [file("a.md"), file("b.md"), file("c.md")]);
    expect(states()).toEqual(["a.md sending", "b.md sending", "c.md waiting"]);
    sent[0]?.store("added");
    await settled();
    expect(states()).toEqual(["a.md stored", "b.md sending", "c.md sending"]);
  });

  it("never sends two files of one name to a base at once", async () => {
    const { queue, sent, states } = setup();
    queue.add(BASE, [file("a.md", "old"), file("a.md", "new"), file("b.md")]);
    expect(states()).toEqual(["a.md sending", "a.md waiting", "b.md sending"]);
    sent[0]?.store("added");
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(["a.md", "b.md", "a.md"]);
  });

  it("goes on with the others when one is refused, and sends that again when asked to", async () => {
    const { queue, sent, states } = setup();
    queue.add(BASE, [file("a.md"), file("b.md"), file("c.md")]);
    sent[0]?.refuse(true);
    await settled();
    expect(states()).toEqual(["a.md refused", "b.md sending", "c.md sending"]);
    sent[1]?.store("added");
    queue.retry(queue.list()[0]?.id ?? 0);
    await settled();
    expect(sent.map(({ name }) => name)).toEqual(["a.md", "b.md", "c.md", "a.md"]);
  });

  it("breaks off what is cancelled and gives its place to the next", async () => {
    const { queue, sent, states } = setup();
    queue.add(BASE, [file("a.md"), file("b.md"), file("c.md")]);
    queue.remove(queue.list()[0]?.id ?? 0);
    await settled();
    expect(sent[0]?.aborted()).toBe(true);
    expect(states()).toEqual(["b.md sending", "c.md sending"]);
  });

  it("refuses at once what the server would, and sends nothing of it", () => {
    const { queue, sent, states } = setup();
    queue.add(BASE, [file("empty.md", "")]);
    expect(states()).toEqual(["empty.md refused"]);
    expect(sent).toEqual([]);
  });

  it("clears only what has ended, and only of the base that is looked at", async () => {
    const { queue, sent, states } = setup();
    queue.add(BASE, [file("a.md"), file("b.md")]);
    queue.add("019aa6f0-0000-7000-8000-000000000002", [file("empty.md", "")]);
    sent[0]?.store("duplicate");
    await settled();
    queue.clear(BASE);
    expect(states()).toEqual(["b.md sending", "empty.md refused"]);
  });
});

describe("what is wrong with a file", () => {
  it("is said with its size and what to do", () => {
    expect(problemOf({ size: 60 * 1024 * 1024 })).toBe(
      "The file has 62.9 MB; the limit is 50 MB. Split it, or save a smaller version.",
    );
    expect(problemOf({ size: 9 })).toBeNull();
  });
});
