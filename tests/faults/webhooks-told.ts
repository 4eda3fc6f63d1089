import { randomBytes } from "node:crypto";
import { pool } from "@/server/db";
import { env } from "@/server/env";
import { createWebhook } from "@/server/webhooks/service/save-webhook";
import type { DatabaseKind } from "@/tests/support/databases";
import { startWebhookReceiver, type WebhookReceiver } from "@/tests/support/webhook-receiver";
import { judge, type Verdict } from "./invariants";
import type { TestWorker } from "./test-worker";
import { answerUntilEnded, aWorld, endWorld, startRunOf, startTestWorker, until } from "./world";

const STEPS = 3;
const KILLS = 3;
const WEBHOOK = {
  name: "told",
  linkOrigin: "http://troupe",
  withContent: false,
  enabled: true,
  allowPrivateHost: true,
};

/**
 * AGT-EVT-08: workers that run and call are killed in the middle, while the receiver fails now and then. Whoever wants to hear of the
 * start and the end of a run hears of each, under one id, and of nothing else.
 */
export async function webhooksTold(kind: DatabaseKind, runs: number): Promise<Verdict> {
  const webhooksKey = randomBytes(32).toString("hex");
  const world = await aWorld(kind, { honoursKey: true, latencyMs: 10 });
  let worker: TestWorker | undefined;
  let receiver: WebhookReceiver | undefined;
  const startWorker = () => startTestWorker(world, undefined, { webhooksKey });
  try {
    env().SECRETS_KEY = webhooksKey;
    receiver = await startWebhookReceiver();
    const { calls, url } = receiver;
    await createWebhook(world.scope, { ...WEBHOOK, address: url, events: ["run.created", "run.completed"] });
    worker = await startWorker();
    const runIds: string[] = [];
    for (let i = 0; i < runs; i++) runIds.push(await startRunOf(world, world.solo, `[[tools=${STEPS}]] told ${i}`));
    const effects = runs * STEPS;
    for (let kill = 1; kill <= KILLS; kill++) {
      receiver.answer = kill % 2 ? { status: 503 } : null;
      await until("some work", async () => world.effects.applied().size >= (effects * kill) / (KILLS + 1));
      await worker.kill();
      worker = await startWorker();
    }
    receiver.answer = null;
    await answerUntilEnded(world, runIds);
    await until("the end of all calls", async () => {
      // What a killed worker had claimed is free after a minute, and what failed is tried after a pause: time is let pass.
      await pool().query(
        `update webhook_deliveries set next_try_at = now(),
           claimed_until = case when tried_at > now() - interval '2 seconds' then claimed_until end where status = 'waiting'`,
      );
      await pool().query("update webhooks set next_try_at = now()");
      const { rows } = await pool().query("select from webhook_deliveries where status <> 'delivered'");
      return rows.length === 0;
    });
    await worker.kill();
    const verdict = await judge(world, runIds, { effects, mostRepeatedCalls: runs * KILLS });
    return { ...verdict, problems: [...verdict.problems, ...problemsOf(calls, runIds)] };
  } finally {
    await worker?.kill();
    await endWorld(world);
    await receiver?.close();
  }
}

function problemsOf(calls: WebhookReceiver["calls"], runIds: readonly string[]): string[] {
  const idsOf = new Map<string, Set<unknown>>();
  for (const { body, headers } of calls) {
    const event = `${body.type} ${(body.data as { run: { id: string } }).run.id}`;
    idsOf.set(event, (idsOf.get(event) ?? new Set()).add(headers["webhook-id"]));
  }
  const wanted = runIds.flatMap((id) => [`run.created ${id}`, `run.completed ${id}`]);
  const untold = wanted.filter((event) => !idsOf.has(event)).length;
  const twice = [...idsOf.values()].filter((ids) => ids.size > 1).length;
  const more = [...idsOf.keys()].filter((event) => !wanted.includes(event)).length;
  return untold + twice + more === 0
    ? []
    : [`${untold} events were told to nobody, ${twice} under two ids, ${more} that nobody wanted`];
}
