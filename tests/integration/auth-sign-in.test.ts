import { decode, encode } from "@auth/core/jwt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countSignIn } from "@/server/auth/rate-limits";
import { env } from "@/server/env";
import { DATABASE_KINDS } from "../support/databases";
import { createOwner, OWNER, type Product, queryTrpc, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

const WRONG = {
  error: { code: "NOT_SIGNED_IN", userMessage: "E-mail address or password is wrong.", fieldErrors: null },
};
const SESSION = "troupe.session";

describe.each(DATABASE_KINDS)("signing in (%s)", (kind) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct(kind);
    await createOwner(product.visitor());
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    await product.db.rateLimit.deleteMany();
  });

  const isSignedIn = async (visitor: Visitor) => (await queryTrpc(visitor, "workspace.me")).status === 200;

  async function signedInVisitor(): Promise<Visitor> {
    const visitor = product.visitor();
    expect((await visitor.signIn(OWNER.email, OWNER.password)).status).toBe(200);
    return visitor;
  }

  test("the right password opens a session that scripts cannot read and other sites cannot send", async () => {
    const ada = product.visitor();
    expect(await isSignedIn(ada)).toBe(false);
    const response = await ada.signIn(OWNER.email, OWNER.password);

    const cookie = response.headers.getSetCookie().find((set) => set.startsWith(`${SESSION}=`));
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).not.toMatch(/; Secure/i);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("the address may be typed in any case", async () => {
    expect((await product.visitor().signIn(` ${OWNER.email.toUpperCase()} `, OWNER.password)).status).toBe(200);
  });

  test("the session holds the user's id and nothing else about them", async () => {
    const ada = await signedInVisitor();
    const token = ada.cookies.get(SESSION) ?? "";
    const claims = await decode({ token, salt: SESSION, secret: env().AUTH_SECRET ?? "" });
    const { id } = await product.db.user.findUniqueOrThrow({ where: { email: OWNER.email } });
    expect(claims).toEqual({ sub: id, iat: expect.any(Number), exp: expect.any(Number), jti: expect.any(String) });
  });

  test("over https the cookie is for https only", async () => {
    const ada = product.visitor();
    const https = { "x-forwarded-proto": "https" };
    const { csrfToken } = (await (await ada.fetch("/api/auth/csrf", { headers: https })).json()) as {
      csrfToken: string;
    };
    const body = { email: OWNER.email, password: OWNER.password, csrfToken };
    const response = await ada.post("/api/auth/callback/credentials", body, https);

    const cookie = response.headers.getSetCookie().find((set) => set.startsWith(`__Secure-${SESSION}=`));
    expect(cookie).toMatch(/; Secure/i);
    const me = await ada.fetch("/api/trpc/workspace.me", { headers: https });
    expect(me.status).toBe(200);
  });

  test("a wrong password and an unknown address get the same answer", async () => {
    const wrong = await product.visitor().signIn(OWNER.email, "not the password");
    const unknown = await product.visitor().signIn("nobody@example.test", "not the password");
    for (const response of [wrong, unknown]) {
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual(WRONG);
      expect(response.headers.getSetCookie().join()).not.toContain(SESSION);
    }
  });

  test("the sixth wrong password in a row is not even looked at, and the answer says how long to wait", async () => {
    const guesser = product.visitor();
    for (let n = 1; n <= 5; n++) expect((await guesser.signIn(OWNER.email, `guess ${n}`)).status).toBe(401);

    const refused = await guesser.signIn(OWNER.email, OWNER.password);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({
      error: {
        code: "TOO_MANY_REQUESTS",
        userMessage: "Too many attempts. Try again in 15 minutes.",
        fieldErrors: null,
      },
    });
    const waitS = Number(refused.headers.get("retry-after"));
    expect(waitS).toBeGreaterThan(14 * 60);
    expect(waitS).toBeLessThanOrEqual(15 * 60);
    expect(await isSignedIn(guesser)).toBe(false);

    await signedInVisitor();
    // A quarter of an hour later.
    await product.db.$executeRaw`UPDATE rate_limits SET expire = expire - 15 * 60 * 1000`;
    expect((await guesser.signIn(OWNER.email, OWNER.password)).status).toBe(200);
  });

  test("guessing in parallel gains nothing", async () => {
    const guesser = product.visitor();
    const guesses = Array.from({ length: 12 }, (_, n) => guesser.signIn(OWNER.email, `guess ${n}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test("a success forgets the slips before it", async () => {
    const ada = product.visitor();
    for (const password of ["slip", "slip", "slip", "slip", OWNER.password, "slip", "slip", "slip", "slip"]) {
      const expected = password === OWNER.password ? 200 : 401;
      expect((await ada.signIn(OWNER.email, password)).status).toBe(expected);
    }
  });

  test("one address trying many accounts is stopped, and so is one account tried from many addresses", async () => {
    const triesUntilRefused = async (attempt: (n: number) => { address: string; email: string }) => {
      for (let n = 0; n < 200; n++) {
        const refused = await countSignIn(attempt(n)).then(
          () => false,
          (error: { code: string }) => error.code === "TOO_MANY_REQUESTS",
        );
        if (refused) return n;
      }
      return Number.POSITIVE_INFINITY;
    };
    expect(await triesUntilRefused((n) => ({ address: "198.51.100.7", email: `${n}@example.test` }))).toBe(50);
    expect(await triesUntilRefused((n) => ({ address: `192.0.2.${n}`, email: "ada@example.test" }))).toBe(100);
  });

  test("signing out ends the session in that browser, and doing it twice is no error", async () => {
    const ada = await signedInVisitor();
    expect((await ada.signOut()).status).toBe(200);
    expect(ada.cookies.has(SESSION)).toBe(false);
    expect(await isSignedIn(ada)).toBe(false);
    expect((await ada.signOut()).status).toBe(200);
  });

  test("a sign-in or sign-out that another page set off is refused", async () => {
    const body = { email: OWNER.email, password: OWNER.password };
    const ada = product.visitor();
    const { csrfToken } = (await (await ada.fetch("/api/auth/csrf")).json()) as { csrfToken: string };

    const withoutToken = await ada.post("/api/auth/callback/credentials", { ...body, csrfToken: "made up" });
    expect(withoutToken.status).toBe(403);
    const stranger = product.visitor();
    const withoutCookie = await stranger.post("/api/auth/callback/credentials", { ...body, csrfToken });
    expect(withoutCookie.status).toBe(403);
    const foreignHeaders: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreignHeaders) {
      const foreign = await ada.post("/api/auth/callback/credentials", { ...body, csrfToken }, headers);
      expect(foreign.status).toBe(403);
    }
    expect(await isSignedIn(ada)).toBe(false);

    const bob = await signedInVisitor();
    expect((await bob.post("/api/auth/signout", { csrfToken: "made up" })).status).toBe(403);
    expect(await isSignedIn(bob)).toBe(true);
  });

  test("a session that was tampered with, is another installation's, or comes as a header is none", async () => {
    const ada = await signedInVisitor();
    const token = ada.cookies.get(SESSION) ?? "";
    const { id } = await product.db.user.findUniqueOrThrow({ where: { email: OWNER.email } });
    const elsewhere = await encode({ token: { sub: id }, salt: SESSION, secret: "another installation's secret, 32+" });
    const expired = await encode({
      token: { sub: id },
      salt: SESSION,
      secret: env().AUTH_SECRET ?? "",
      maxAge: -60,
    });
    const flipped = token.slice(0, -2) + (token.endsWith("A") ? "BB" : "AA");

    for (const value of [elsewhere, expired, flipped, id, "", "a.b.c.d.e", "%00"]) {
      const visitor = product.visitor();
      visitor.cookies.set(SESSION, value);
      expect((await queryTrpc(visitor, "workspace.me")).status).toBe(401);
    }
    const byHeader = product.visitor();
    const asBearer = await byHeader.fetch("/api/trpc/workspace.me", { headers: { authorization: `Bearer ${token}` } });
    expect(asBearer.status).toBe(401);
  });
});

describe.each(DATABASE_KINDS)("somebody who was removed (%s)", (kind) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct(kind);
    await createOwner(product.visitor());
  });
  afterAll(() => product?.stop());

  test("is out on the next request, first of the workspace, then of the installation", async () => {
    const ada = product.visitor();
    await ada.signIn(OWNER.email, OWNER.password);
    expect((await queryTrpc(ada, "workspace.me")).status).toBe(200);

    await product.db.member.deleteMany();
    expect((await queryTrpc(ada, "workspace.me")).status).toBe(403);

    await product.db.user.deleteMany();
    expect((await queryTrpc(ada, "workspace.me")).status).toBe(401);
  });
});
