import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/server/env";
import { createOwner as create } from "@/server/users/service";
import { DATABASE_KINDS } from "../support/databases";
import { aWorkspace } from "../support/factories";
import { createOwner, OWNER, type Product, queryTrpc, readTrpc, startProduct } from "../support/product";

describe.each(DATABASE_KINDS)("the first visit (%s)", (kind) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct(kind, {}, { passwords: "real" });
  });
  afterAll(() => product?.stop());
  afterEach(async () => {
    await product.db.user.deleteMany();
    await product.db.workspace.deleteMany();
    await product.db.rateLimit.deleteMany();
  });

  test("creates the owner and the workspace, and the owner can sign in", async () => {
    const ada = product.visitor();
    expect((await createOwner(ada)).status).toBe(200);
    expect((await ada.signIn(OWNER.email, OWNER.password)).status).toBe(200);

    const me = await readTrpc(await queryTrpc(ada, "workspace.me"));
    expect(me.data).toMatchObject({
      user: { name: OWNER.name, email: OWNER.email },
      workspace: { name: OWNER.workspaceName },
      role: "owner",
      model: { provider: "rehearsal", isRehearsal: true },
    });
  });

  test("adopts the workspace the seed left, under the name the owner gives it", async () => {
    const seeded = await aWorkspace(product.db, "Demo");
    await createOwner(product.visitor());
    expect(await product.db.workspace.findMany({ select: { id: true, name: true } })).toEqual([
      { id: seeded, name: OWNER.workspaceName },
    ]);
    expect(await product.db.member.findMany({ select: { workspaceId: true, role: true } })).toEqual([
      { workspaceId: seeded, role: "owner" },
    ]);
  });

  test("two people setting up at once make one owner, and the other is told so", async () => {
    const tries = ["first@example.test", "second@example.test", "third@example.test"].map((email) =>
      createOwner(product.visitor(), { ...OWNER, email }),
    );
    const answers = await Promise.all((await Promise.all(tries)).map(readTrpc));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.error).toMatchObject({ code: "CONFLICT" });
    expect(await product.db.user.count()).toBe(1);
    expect(await product.db.workspace.count()).toBe(1);
    expect(await product.db.member.count()).toBe(1);
  });

  // The embedded database runs one transaction at a time; here three really meet.
  test.runIf(kind === "postgres")("three transactions that all found nobody still make one owner", async () => {
    const gatekeeper = new pg.Client({ connectionString: env().DATABASE_URL });
    await gatekeeper.connect();
    // Readers pass, inserts wait: whoever looks for a user now finds none.
    await gatekeeper.query("BEGIN; LOCK TABLE users IN SHARE MODE");
    const tries = Promise.allSettled(
      ["one@example.test", "two@example.test", "three@example.test"].map((email) =>
        create({ ...OWNER, email, setupToken: undefined, expectedToken: undefined }),
      ),
    );
    // A connection of its own: within a transaction the statistics stand still.
    const waiting = () => product.db.$queryRaw<unknown[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    try {
      await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(3);
    } finally {
      await gatekeeper.query("COMMIT");
      await gatekeeper.end();
    }

    expect((await tries).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await product.db.user.count()).toBe(1);
    expect(await product.db.member.count()).toBe(1);
  });

  test("is over once somebody exists", async () => {
    await createOwner(product.visitor());
    const late = await readTrpc(await createOwner(product.visitor(), { ...OWNER, email: "late@example.test" }));
    expect(late).toMatchObject({ status: 409, error: { code: "CONFLICT" } });
    expect(await product.db.user.count()).toBe(1);
  });

  test("says beside each field what is wrong with it", async () => {
    const input = { ...OWNER, name: " ", email: "not an address", password: "too short" };
    const { status, error } = await readTrpc(await createOwner(product.visitor(), input));
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: "INVALID",
      fieldErrors: {
        name: ["Write your name."],
        email: ["Write an e-mail address, like ada@example.org."],
        password: ["At least 10 characters."],
      },
    });
    expect(await product.db.user.count()).toBe(0);
  });

  test("stores no password, and the same password twice is not stored the same", async () => {
    const hashes: string[] = [];
    for (const email of ["one@example.test", "two@example.test"]) {
      await createOwner(product.visitor(), { ...OWNER, email });
      hashes.push((await product.db.user.findUniqueOrThrow({ where: { email } })).passwordHash);
      await product.db.user.deleteMany();
    }
    expect(hashes[0]).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

describe.each(DATABASE_KINDS)("the first visit with a setup token (%s)", (kind) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct(kind, { SETUP_TOKEN: "printed-at-start" });
  });
  afterAll(() => product?.stop());

  test.each([undefined, "", "guess"])("refuses the token %j", async (setupToken) => {
    const { status, error } = await readTrpc(await createOwner(product.visitor(), { ...OWNER, setupToken }));
    expect(status).toBe(403);
    expect(error).toMatchObject({ code: "NOT_ALLOWED", userMessage: expect.stringContaining("setup token") });
    expect(await product.db.user.count()).toBe(0);
  });

  test("stops guessing", async () => {
    const guesser = product.visitor();
    let last = 0;
    for (let n = 0; n < 25 && last !== 429; n++) {
      last = (await createOwner(guesser, { ...OWNER, setupToken: `guess ${n}` })).status;
    }
    expect(last).toBe(429);
  });

  test("lets the one who knows it in", async () => {
    const answer = await createOwner(product.visitor(), { ...OWNER, setupToken: "printed-at-start" });
    expect(answer.status).toBe(200);
  });
});
