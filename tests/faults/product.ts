import { randomBytes } from "node:crypto";
import { db, pool } from "@/server/db";
import type { PublicError } from "@/server/trpc/error-mapping";
import { provenWorkspace } from "@/server/workspaces/scope";
import type { DatabaseKind } from "@/tests/support/databases";
import { type Killable, startKillable } from "@/tests/support/killable";
import { aBase } from "@/tests/support/knowledge";
import { Visitor } from "@/tests/support/web";
import { aWorld, countOf, endWorld, type World } from "./world";

/** What a door said: `ok` is an acknowledgement, and must be true for ever. */
export type Told = { status: number; ok: boolean; data: Record<string, unknown>; error: PublicError | null };

const OWNER = {
  name: "Ada Owner",
  email: "ada@example.test",
  password: "correct horse battery",
  workspaceName: "Work",
};
const NO_ANSWER: Told = { status: 0, ok: false, data: {}, error: null };

/** A world with the product's doors in front of it, and a person who keeps a list of what was acknowledged. */
export class Product {
  readonly runs = new Set<string>();
  readonly documents = new Set<string>();
  readonly answers = new Map<string, string>();
  /** Refusals that were not a plain sentence. */
  readonly oddRefusals: string[] = [];
  private words = 0;

  private constructor(
    readonly world: World,
    readonly web: Killable,
    private readonly owner: Visitor,
    private readonly baseId: string,
  ) {}

  /** `databaseUrl` is the way the doors take to the database, when it is not the straight one. */
  static async open(
    kind: DatabaseKind,
    options: { directory?: string; databaseUrl?: (direct: string) => Promise<string> } = {},
  ): Promise<Product> {
    const made: { web?: Killable; owner?: Visitor } = {};
    const world = await aWorld(kind, {
      honoursKey: true,
      ...(options.directory ? { directory: options.directory } : {}),
      owner: async () => {
        const direct = process.env.DATABASE_URL ?? "";
        made.web = await startKillable("tests/support/fault-web-main.ts", {
          environment: {
            DATABASE_URL: (await options.databaseUrl?.(direct)) ?? direct,
            AUTH_SECRET: randomBytes(24).toString("hex"),
            SECRETS_KEY: randomBytes(24).toString("hex"),
            LOG_LEVEL: process.env.FAULTS_LOG ?? "silent",
          },
        });
        made.owner = new Visitor({ url: made.web.line });
        await made.owner.post("/api/trpc/users.createOwner", { json: OWNER });
        await made.owner.signIn(OWNER.email, OWNER.password);
        const { userId, workspaceId, role } = await db().member.findFirstOrThrow();
        return { userId, workspaceId: provenWorkspace(workspaceId), role: role as "owner", userName: OWNER.name };
      },
    });
    if (!made.web || !made.owner) throw new Error("the doors did not open");
    return new Product(world, made.web, made.owner, await aBase(db(), world.scope.workspaceId));
  }

  async close(): Promise<void> {
    await this.web.kill();
    await endWorld(this.world);
  }

  async health(): Promise<number> {
    return (await this.ask("/healthz/ready")).status;
  }

  /** An answer once the whole body is there; no answer is no acknowledgement. */
  async ask(path: string, init?: RequestInit): Promise<Told> {
    try {
      const response = await this.owner.fetch(path, init);
      const body = (await response.json()) as {
        result?: { data: { json: Record<string, unknown> } };
        error?: { json?: { data: PublicError } } & PublicError;
      };
      const error = body.error?.json?.data ?? body.error ?? null;
      if (error && !isPlain(response.status, error)) {
        this.oddRefusals.push(`${path.split("?")[0]}: ${response.status} ${error.code} “${error.userMessage}”`);
      }
      const data = body.result?.data.json ?? (body as Record<string, unknown>);
      return { status: response.status, ok: response.ok, data, error };
    } catch {
      return NO_ANSWER;
    }
  }

  call(path: string, input: unknown): Promise<Told> {
    return this.ask(`/api/trpc/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ json: input }),
    });
  }

  query(path: string, input?: unknown): Promise<Told> {
    const text = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
    return this.ask(`/api/trpc/${path}${text}`);
  }

  /** `marker` says what the run does. */
  async startRun(marker: string): Promise<Told> {
    const input = `${marker} number ${++this.words} of these`;
    const told = await this.call("runs.start", { teamId: this.world.solo.teamId, input });
    if (told.ok) this.runs.add(String(told.data.runId));
    return told;
  }

  async upload(name: string, bytes: Buffer): Promise<Told> {
    const told = await this.ask(`/api/upload?baseId=${this.baseId}&name=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(bytes),
    });
    if (told.ok) this.documents.add(name);
    return told;
  }

  async answer(requestId: string, answer: string): Promise<Told> {
    const told = await this.call("requests.answer", { requestId, answer });
    if (told.ok && told.data.counted) this.answers.set(requestId, answer);
    return told;
  }

  /** Answers every question that is open. */
  async answerAll(): Promise<void> {
    const { rows } = await pool().query<{ id: string }>(
      "select id from human_requests where status = 'open' and kind = 'question'",
    );
    for (const { id } of rows) await this.answer(id, `answer to ${id}`);
  }

  /** The way to the live stream, with the cookie that opens it. */
  live(): { url: string; headers: Record<string, string> } {
    const cookie = [...this.owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { url: `${this.web.line}/api/trpc`, headers: { cookie } };
  }

  /** What was acknowledged and is not there, and refusals nobody could have understood. */
  async problems(): Promise<string[]> {
    const problems = [...new Set(this.oddRefusals)].slice(0, 3).map((text) => `not a plain refusal: ${text}`);
    const { rows } = await pool().query<{ id: string }>("select id from runs");
    const stored = new Set(rows.map(({ id }) => id));
    const lost = [...this.runs].filter((id) => !stored.has(id));
    if (lost.length) problems.push(`${lost.length} acknowledged runs are lost`);
    for (const name of this.documents) {
      const { rows: kept } = await pool().query<{ status: string; reason: string | null }>(
        "select status, status_reason as reason from documents where name = $1",
        [name],
      );
      if (kept.length === 1 && kept[0]?.status === "ready") continue;
      const found = kept.map(({ status, reason }) => `${status} (${reason})`).join(", ") || "gone";
      problems.push(`the acknowledged document ${name} is not there once and ready, but ${found}`);
    }
    const twice = await countOf(
      `select (select count(*) from (select 1 from chunks group by document_id, revision, position having count(*) > 1) t)::int
         + (select count(*) from files f where f.status = 'stored' and not exists (select from documents where file_id = f.id))::int as n`,
    );
    if (twice) problems.push(`${twice} passages are stored twice, or files belong to no document`);
    for (const [id, answer] of this.answers) {
      const kept = await countOf(
        "select count(*)::int as n from human_requests where id = $1 and status = 'answered' and answer #>> '{}' = $2",
        [id, answer],
      );
      if (kept !== 1) problems.push(`an acknowledged answer is lost`);
    }
    const bare = await countOf(
      "select count(*)::int as n from unnest($1::text[]) e(id) where not exists (select from effects where agent_run_id = split_part(e.id, '/', 1)::uuid)",
      [[...this.world.effects.applied().keys()]],
    );
    if (bare) problems.push(`${bare} effects have no recorded intent`);
    return problems;
  }
}

/** Whoever cannot be served for now is told so in a sentence of ours. */
function isPlain(status: number, { code, userMessage }: PublicError): boolean {
  return status === 503 && code === "NOT_READY" && /^(The|It) .+\.$/.test(userMessage);
}
