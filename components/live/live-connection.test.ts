import { describe, expect, it, vi } from "vitest";
import type { RunEvent } from "@/server/engine/events";
import type { FollowInput } from "@/server/runs/live-schema";
import { type ChangedHint, type FollowCallbacks, LiveConnection } from "./live-connection";
import type { LiveStatus } from "./live-status";

const RUN = "019aa6f0-0000-7000-8000-000000000001";
const OTHER = "019aa6f0-0000-7000-8000-000000000002";

function setup() {
  const opened: { input: FollowInput; callbacks: FollowCallbacks; closed: boolean }[] = [];
  const statuses: LiveStatus[] = [];
  const hints: ChangedHint[] = [];
  let caughtUp = 0;
  const connection = new LiveConnection({
    open: (input, callbacks) => {
      const stream = { input, callbacks, closed: false };
      opened.push(stream);
      return () => {
        stream.closed = true;
      };
    },
    onStatus: (status) => statuses.push(status),
    onChanged: (hint) => hints.push(hint),
    onCaughtUp: () => {
      caughtUp += 1;
    },
  });
  const newest = () => {
    const stream = opened.at(-1);
    if (!stream) throw new Error("nothing was opened");
    return stream;
  };
  const connect = () => {
    newest().callbacks.onState("connecting");
    newest().callbacks.onState("connected");
  };
  return { connection, opened, newest, connect, statuses, hints, caughtUp: () => caughtUp };
}

function event(seq: number, runId = RUN): { id: string; data: { type: "event"; event: RunEvent } } {
  const at = "2026-11-21T08:15:00.000Z";
  const body = { kind: "run.status", status: "running", reason: null, answer: null, at } as const;
  return { id: String(seq), data: { type: "event", event: { runId, seq, agentRunId: null, at, body } } };
}

function follower() {
  const seqs: number[] = [];
  return { seqs, handlers: { onEvent: (next: RunEvent) => seqs.push(next.seq), onDelta: () => {} } };
}

describe("the tab's live connection", () => {
  it("keeps one stream open, whatever is followed", () => {
    const { connection, opened } = setup();
    connection.wake();
    connection.wake();
    expect(opened).toHaveLength(1);
    connection.follow({ runId: RUN, lastSeq: 7, handlers: follower().handlers });
    expect(opened.map((stream) => stream.closed)).toEqual([true, false]);
    expect(opened[1]?.input).toEqual({ runId: RUN, lastEventId: "7" });
  });

  it("hands each event on once, and resumes after the last one", () => {
    const { connection, newest, connect, opened } = setup();
    const { seqs, handlers } = follower();
    connection.follow({ runId: RUN, lastSeq: 2, handlers });
    connection.wake();
    connect();
    for (const delivery of [event(3), event(3), event(2), event(4), event(9, OTHER)])
      newest().callbacks.onData(delivery);
    expect(seqs).toEqual([3, 4]);

    connection.sleep();
    expect(newest().closed).toBe(true);
    connection.wake();
    expect(opened.at(-1)?.input).toEqual({ runId: RUN, lastEventId: "4" });
  });

  it("ignores what a closed stream still delivers", () => {
    const { connection, opened, connect } = setup();
    const { seqs, handlers } = follower();
    connection.wake();
    connect();
    const leave = connection.follow({ runId: RUN, lastSeq: 0, handlers });
    leave();
    opened[1]?.callbacks.onData(event(1));
    expect(seqs).toEqual([]);
    expect(opened.at(-1)?.input).toEqual({});
  });

  it("lets an old page leave without taking the new page's run along", () => {
    const { connection, opened } = setup();
    connection.wake();
    const leaveOld = connection.follow({ runId: OTHER, lastSeq: 0, handlers: follower().handlers });
    connection.follow({ runId: RUN, lastSeq: 0, handlers: follower().handlers });
    const before = opened.length;
    leaveOld();
    expect(opened).toHaveLength(before);
  });

  it("tells a break from the first connecting, and asks for the lists again after each", () => {
    const { connection, newest, connect, statuses, caughtUp } = setup();
    connection.wake();
    connect();
    expect(statuses).toEqual(["live"]);
    expect(caughtUp()).toBe(1);
    newest().callbacks.onState("connecting");
    newest().callbacks.onState("connected");
    expect(statuses).toEqual(["live", "reconnecting", "live"]);
    expect(caughtUp()).toBe(2);
  });

  it("opens a new stream after the transport gave up, later each time, but not once signed out", () => {
    vi.useFakeTimers();
    try {
      const { connection, newest, opened, statuses } = setup();
      connection.wake();
      newest().callbacks.onEnd({ signedOut: false });
      vi.advanceTimersByTime(999);
      expect(opened).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(opened).toHaveLength(2);
      newest().callbacks.onEnd({ signedOut: false });
      vi.advanceTimersByTime(1999);
      expect(opened).toHaveLength(2);
      vi.advanceTimersByTime(1);
      newest().callbacks.onEnd({ signedOut: true });
      vi.advanceTimersByTime(120_000);
      expect(opened).toHaveLength(3);
      expect(statuses.at(-1)).toBe("signed-out");
    } finally {
      vi.useRealTimers();
    }
  });

  it("opens a new stream where one ended in good order, and reads again what depends on rights, without a word", () => {
    vi.useFakeTimers();
    try {
      const { connection, newest, opened, connect, statuses, caughtUp } = setup();
      const { seqs, handlers } = follower();
      connection.follow({ runId: RUN, lastSeq: 2, handlers });
      connection.wake();
      connect();
      newest().callbacks.onData(event(3));
      newest().callbacks.onOver();
      vi.advanceTimersByTime(999);
      expect(opened).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(newest().input).toEqual({ runId: RUN, lastEventId: "3" });
      expect(caughtUp()).toBe(1);
      connect();
      newest().callbacks.onData(event(4));
      expect(seqs).toEqual([3, 4]);
      expect(caughtUp()).toBe(2);
      expect(statuses).not.toContain("reconnecting");
    } finally {
      vi.useRealTimers();
    }
  });

  it("leaves it closed when the tab was hidden meanwhile", () => {
    vi.useFakeTimers();
    try {
      const { connection, newest, opened, connect } = setup();
      connection.wake();
      connect();
      newest().callbacks.onOver();
      connection.sleep();
      vi.advanceTimersByTime(60_000);
      expect(opened).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("passes hints on while no run is followed", () => {
    const { connection, newest, connect, hints } = setup();
    connection.wake();
    connect();
    newest().callbacks.onData({ id: "0", data: { type: "changed", noun: "requests", id: null } });
    expect(hints).toEqual([{ type: "changed", noun: "requests", id: null }]);
  });

  it("says that it is lost also when it never came about", () => {
    const { connection, newest, connect, statuses, caughtUp } = setup();
    connection.wake();
    newest().callbacks.onState("connecting");
    newest().callbacks.onState("lost");
    expect(statuses.at(-1)).toBe("reconnecting");
    connect();
    expect(statuses.at(-1)).toBe("live");
    expect(caughtUp()).toBe(1);
  });
});
