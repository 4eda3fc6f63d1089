import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "@/server/errors";

const OURS = { workspaceId: "w1", purpose: "provider:p1" };
const SECRET = "sk-very-secret-0123456789-ü🔑";

/** With the environment read anew: it is parsed once a process. */
async function withKey(key: string) {
  vi.stubEnv("SECRETS_KEY", key);
  vi.stubEnv("DATABASE_URL", "postgresql://nowhere");
  vi.resetModules();
  return import("./seal");
}
const KEY = "k".repeat(32);

afterEach(() => {
  vi.unstubAllEnvs();
});

async function sentenceOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    // The class of a module that was loaded again is another one.
    return (error as AppError).userMessage;
  }
  return "no error";
}

test("what was sealed opens, and never looks alike twice", async () => {
  const { sealSecret, openSecret } = await withKey(KEY);
  const sealed = [sealSecret(OURS, SECRET), sealSecret(OURS, SECRET)];
  expect(sealed.map((text) => openSecret(OURS, text))).toEqual([SECRET, SECRET]);
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(sealed[0]).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
  for (const form of [SECRET, Buffer.from(SECRET).toString("base64url").slice(0, 12)]) {
    expect(sealed.join()).not.toContain(form);
  }
});

test("a text moved to another workspace or use, or changed by one bit, does not open", async () => {
  const { sealSecret, openSecret } = await withKey(KEY);
  const sealed = sealSecret(OURS, SECRET);
  const [version, key, nonce, body = ""] = sealed.split(".");
  const flipped = Buffer.from(body, "base64url");
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  const damaged = [
    () => openSecret({ ...OURS, workspaceId: "w2" }, sealed),
    () => openSecret({ ...OURS, purpose: "provider:p2" }, sealed),
    () => openSecret(OURS, [version, key, nonce, flipped.toString("base64url")].join(".")),
    () => openSecret(OURS, [version, key, nonce, body.slice(0, 8)].join(".")),
    () => openSecret(OURS, sealed.replace("v1", "v2")),
    () => openSecret(OURS, SECRET),
    () => openSecret(OURS, ""),
  ];
  for (const open of damaged) {
    expect(await sentenceOf(open)).toBe(
      "This stored secret cannot be opened: it was changed or moved. Enter it again.",
    );
  }
});

test("another key says so, and says what to do, without a word of the secret or the keys", async () => {
  const sealed = (await withKey(KEY)).sealSecret(OURS, SECRET);
  const { openSecret } = await withKey("another key, just as long as it must be");
  const sentence = await sentenceOf(() => openSecret(OURS, sealed));
  expect(sentence).toMatch(/^This secret was sealed with another secrets key\. Start Troupe with the SECRETS_KEY/);
  expect(sentence).not.toContain(KEY);
});

test("without a key nothing is stored in clear: it is refused by name", async () => {
  const { sealSecret } = await withKey("");
  expect(await sentenceOf(() => sealSecret(OURS, SECRET))).toMatch(/^SECRETS_KEY is not set/);
  expect(new AppError("NOT_READY", "x").code).toBe("NOT_READY");
});
