// @ts-check
import { once } from "node:events";
import { Agent, get } from "node:http";

/**
 * Those who watch one run, as a process of their own: fanout-readers.mjs ADDRESS WATCHERS LAST_SEQ, forked. Says "watching" once all streams are
 * open, and with each event that has reached all of them when it reached each, in milliseconds since 1970.
 */
const [address = "", watchers = "", lastSeq = ""] = process.argv.slice(2);
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
/** When each event came to each watcher, by its place after the last one there was. @type {number[][]} */
const arrivals = [];

async function watch() {
  const asked = get(address, { agent });
  const [stream] = await once(asked, "response");
  // Cut off when all is measured.
  for (const end of [asked, stream]) end.on("error", () => {});
  let seen = Number(lastSeq);
  let rest = "";
  stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const seq = Number(/"type":"event".*^id: (\d+)$/ms.exec(frame)?.[1]);
      if (!(seq > seen)) continue;
      if (seq !== seen + 1) throw new Error(`Event ${seq} came after ${seen}`);
      seen = seq;
      const at = (arrivals[seq - Number(lastSeq) - 1] ??= []);
      at.push(performance.timeOrigin + performance.now());
      if (at.length === Number(watchers)) process.send?.({ seq, at });
    }
  });
}

let watching = 0;
// No more at a time than a server lets wait at its door.
while (watching < Number(watchers)) {
  const more = Math.min(100, Number(watchers) - watching);
  await Promise.all(Array.from({ length: more }, watch));
  watching += more;
}
process.send?.("watching");
