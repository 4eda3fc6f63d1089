import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { failWhenStreamEnds, ReplyLost, watchingFetch } from "./call-streams";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An answer whose stream the test ends. */
function aStream() {
  let end = (_: Error | null) => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      end = (error) => (error ? controller.error(error) : controller.close());
    },
  });
  const response = new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  return { fetch: watchingFetch(async () => response), end };
}

const never = () => new Promise<never>(() => {});
const outcome = (call: Promise<unknown>) => call.catch((error: unknown) => error);

test.each([null, new TypeError("terminated")])("a call whose stream ends (%s) without a reply fails", async (how) => {
  const { fetch, end } = aStream();
  const lost = outcome(
    failWhenStreamEnds(async () => {
      const response = await fetch("http://a.test/");
      void response.text().catch(() => {});
      return never();
    }),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  end(how);
  await vi.advanceTimersByTimeAsync(6000);
  expect(await lost).toBeInstanceOf(ReplyLost);
});

test("a call goes on while the client goes on with the reply in another stream", async () => {
  const [first, second] = [aStream(), aStream()];
  let settled: unknown;
  void outcome(
    failWhenStreamEnds(async () => {
      await (await first.fetch("http://a.test/")).text();
      await (await second.fetch("http://a.test/")).text();
      return "answered";
    }),
  ).then((value) => {
    settled = value;
  });
  await vi.advanceTimersByTimeAsync(0);
  first.end(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(settled).toBeUndefined();
  second.end(null);
  await vi.advanceTimersByTimeAsync(6000);
  expect(settled).toBe("answered");
});

test("streams of calls that are made beside each other are not mixed up", async () => {
  const [mine, other] = [aStream(), aStream()];
  const read = (stream: ReturnType<typeof aStream>) => async () => {
    void (await stream.fetch("http://a.test/")).text().catch(() => {});
    return never();
  };
  const calls = [failWhenStreamEnds(read(mine)), failWhenStreamEnds(read(other))].map(outcome);
  await vi.advanceTimersByTimeAsync(0);
  other.end(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.race([calls[0], Promise.resolve("still waiting")])).toBe("still waiting");
  expect(await calls[1]).toBeInstanceOf(ReplyLost);
});
