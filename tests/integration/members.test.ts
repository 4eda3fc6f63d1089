import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DATABASE_KINDS } from "../support/databases";
import { callTrpc, createOwner, OWNER, type Product, queryTrpc, readTrpc, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

describe.each(DATABASE_KINDS)("members and invitations (%s)", (kind) => {
  let product: Product;
  let owner: Visitor;
  beforeAll(async () => {
    product = await startProduct(kind);
    owner = product.visitor();
    await createOwner(owner);
    await owner.signIn(OWNER.email, OWNER.password);
  });
  afterAll(() => product?.stop());

  const act = async (visitor: Visitor, path: string, input: unknown) => readTrpc(await callTrpc(visitor, path, input));
  const read = async (visitor: Visitor, path: string) => readTrpc(await queryTrpc(visitor, path, undefined));
  let people = 0;
  const invite = async (role: string) => {
    const made = await act(owner, "members.createInvite", { role });
    return made.data as { token: string; invite: { id: string } };
  };
  /** Somebody new who joined with a link of that role and is signed in. */
  const aPerson = async (role: string) => {
    const { token } = await invite(role);
    const visitor = product.visitor();
    const credentials = { email: `person${++people}@example.org`, password: "a long enough one" };
    expect((await act(visitor, "members.acceptInvite", { token, name: "Grace", ...credentials })).status).toBe(200);
    await visitor.signIn(credentials.email, credentials.password);
    const members = (await read(owner, "members.list")).data as { userId: string; email: string }[];
    const userId = members.find(({ email }) => email === credentials.email)?.userId ?? "";
    return { visitor, userId, credentials, token };
  };

  test("a link makes one account with its role, and works once", async () => {
    const { visitor, token } = await aPerson("operator");
    expect((await read(visitor, "workspace.me")).data).toMatchObject({ role: "operator" });
    const again = await act(product.visitor(), "members.acceptInvite", {
      ...{ token, name: "Eve", email: "eve@example.org", password: "a long enough one" },
    });
    expect(again).toMatchObject({ status: 400, error: { code: "INVALID" } });
    expect(await product.db.user.count({ where: { email: "eve@example.org" } })).toBe(0);
  });

  test("of two who use a link at the same moment one gets in, and the other leaves nothing", async () => {
    const { token } = await invite("viewer");
    const before = await product.db.user.count();
    const tries = ["a", "b"].map((name) =>
      act(product.visitor(), "members.acceptInvite", {
        ...{ token, name, email: `race-${name}@example.org`, password: "a long enough one" },
      }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 400]);
    expect(await product.db.user.count()).toBe(before + 1);
  });

  test("empty, made-up, used, withdrawn and expired tokens are refused with one and the same sentence", async () => {
    const withdrawn = await invite("viewer");
    await act(owner, "members.revokeInvite", { inviteId: withdrawn.invite.id });
    const expired = await invite("owner");
    await product.db.invite.update({ where: { id: expired.invite.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    const { token: used } = await aPerson("viewer");
    const sentences = new Set<unknown>();
    for (const token of ["", "null", "made-up", used, withdrawn.token, expired.token, "%00", "' or 1=1"]) {
      for (const [path, more] of [
        ["members.lookAtInvite", {}],
        ["members.acceptInvite", { name: "Eve", email: "eve@example.org", password: "a long enough one" }],
      ] as const) {
        const answer = await act(product.visitor(), path, { token, ...more });
        expect({ token, path, status: answer.status }).toEqual({ token, path, status: 400 });
        sentences.add(answer.error?.userMessage);
      }
    }
    expect(sentences.size).toBe(1);
    expect((await act(product.visitor(), "members.lookAtInvite", { token: null })).status).toBe(400);
  });

  test("a token is stored only as a hash, and no list shows it again", async () => {
    const { token, invite: made } = await invite("editor");
    const row = await product.db.invite.findUniqueOrThrow({ where: { id: made.id } });
    expect(JSON.stringify(row)).not.toContain(token);
    expect(JSON.stringify((await read(owner, "members.invites")).data)).not.toContain(token);
  });

  test("an address that has an account cannot be taken over by a link", async () => {
    const { credentials } = await aPerson("viewer");
    const { token } = await invite("owner");
    const taken = await act(product.visitor(), "members.acceptInvite", {
      ...{ token, name: "Eve", email: credentials.email.toUpperCase(), password: "another long one" },
    });
    expect(taken).toMatchObject({ status: 409 });
    // The link was not spent on it.
    expect((await act(product.visitor(), "members.lookAtInvite", { token })).status).toBe(200);
  });

  test("only an owner invites, sees invitations, changes roles and removes", async () => {
    const { token, invite: made } = await invite("viewer");
    for (const role of ["editor", "operator", "viewer"]) {
      const { visitor, userId } = await aPerson(role);
      for (const [path, input] of [
        ["members.createInvite", { role: "owner" }],
        ["members.revokeInvite", { inviteId: made.id }],
        ["members.setRole", { userId, role: "owner" }],
        ["members.remove", { userId }],
      ] as const) {
        expect({ role, path, status: (await act(visitor, path, input)).status }).toEqual({ role, path, status: 403 });
      }
      expect((await read(visitor, "members.invites")).status).toBe(403);
      expect((await read(visitor, "workspace.me")).data).toMatchObject({ role });
    }
    expect((await act(product.visitor(), "members.lookAtInvite", { token })).status).toBe(200);
  });

  test("a role taken away and a removal count at the next request", async () => {
    const { visitor, userId } = await aPerson("owner");
    expect((await read(visitor, "members.invites")).status).toBe(200);
    await act(owner, "members.setRole", { userId, role: "viewer" });
    expect((await read(visitor, "members.invites")).status).toBe(403);
    await act(owner, "members.remove", { userId });
    expect((await read(visitor, "members.list")).status).toBe(403);
  });

  test("a link made by somebody who is no longer an owner is no way back in", async () => {
    for (const [path, more] of [
      ["members.setRole", { role: "editor" }],
      ["members.remove", {}],
    ] as const) {
      const { visitor, userId } = await aPerson("owner");
      const kept = ((await act(visitor, "members.createInvite", { role: "owner" })).data as { token: string }).token;
      const { token: ours } = await invite("viewer");
      expect((await act(owner, path, { userId, ...more })).status).toBe(200);
      const back = await act(visitor, "members.joinWithInvite", { token: kept });
      expect({ path, back: back.error?.userMessage }).toMatchObject({ back: expect.stringMatching(/is not valid/) });
      expect((await act(product.visitor(), "members.lookAtInvite", { token: kept })).status).toBe(400);
      expect((await act(product.visitor(), "members.lookAtInvite", { token: ours })).status).toBe(200);
    }
  });

  test("the last owner stays, also when two owners demote each other at once", async () => {
    const { visitor, userId } = await aPerson("owner");
    const me = ((await read(owner, "members.list")).data as { userId: string; isYou: boolean }[]).find(
      ({ isYou }) => isYou,
    );
    const [a, b] = await Promise.all([
      act(owner, "members.setRole", { userId, role: "viewer" }),
      act(visitor, "members.setRole", { userId: me?.userId, role: "viewer" }),
    ]);
    expect([a.status, b.status].filter((status) => status === 200)).toHaveLength(1);
    const { id: workspaceId } = await product.db.workspace.findFirstOrThrow({ select: { id: true } });
    const owners = await product.db.member.findMany({ where: { workspaceId, role: "owner" } });
    expect(owners).toHaveLength(1);
    const last = owners[0]?.userId === userId ? visitor : owner;
    expect(await act(last, "members.remove", { userId: owners[0]?.userId })).toMatchObject({ status: 409 });
    // As it was, for the tests after this one.
    await product.db.member.updateMany({ where: { workspaceId, userId: me?.userId ?? "" }, data: { role: "owner" } });
  });

  test("a changed password ends every session begun before, and the new one signs in", async () => {
    const { visitor, credentials } = await aPerson("viewer");
    const elsewhere = product.visitor();
    await elsewhere.signIn(credentials.email, credentials.password);
    const wrong = await act(visitor, "users.changePassword", {
      currentPassword: "not this one",
      newPassword: "another long one",
    });
    expect(wrong).toMatchObject({ status: 400, error: { userMessage: "That is not your present password." } });
    expect((await read(elsewhere, "workspace.me")).status).toBe(200);
    // Sessions tell the second they began in; those above must lie before the change.
    const second = () => Math.floor(Date.now() / 1000);
    const begun = second();
    await vi.waitFor(() => expect(second()).toBeGreaterThan(begun), { timeout: 5_000 });
    const changed = await act(visitor, "users.changePassword", {
      currentPassword: credentials.password,
      newPassword: "another long one",
    });
    expect(changed.status).toBe(200);
    expect((await read(elsewhere, "workspace.me")).status).toBe(401);
    expect((await read(visitor, "workspace.me")).status).toBe(401);
    await visitor.signIn(credentials.email, "another long one");
    expect((await read(visitor, "workspace.me")).status).toBe(200);
  });
});
