import { expect, test } from "vitest";
import { hideCredentials } from "./credential-shapes";

test("what is written like a credential is hidden wherever it stands", () => {
  const said = {
    headers: "Authorization: Bearer abcdef0123456789abcdef",
    keys: ["use sk-proj-a1b2c3d4e5f6g7h8i9 here", "AKIAIOSFODNN7EXAMPLE", `ghp_${"a1".repeat(18)}`],
    "postgres://app:hunter2@db/x": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJlMTIz",
    pem: "before -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- after",
  };
  expect(hideCredentials(said)).toEqual({
    headers: "Authorization: Bearer [hidden]",
    keys: ["use [hidden] here", "[hidden]", "[hidden]"],
    "postgres://app:[hidden]@db/x": "[hidden]",
    pem: "before [hidden] after",
  });
});

test("ordinary words, ids and numbers stay", () => {
  const said = {
    ...{
      text: "Basic understanding-of-the-token counts; a bearer of good news.",
      id: "019ab6f0-0000-7000-8000-000000000000",
    },
    ...{ hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", n: 12, no: null, yes: true },
    at: "2026-11-23T01:00:00.000Z",
    address: "http://localhost:3000/a@b",
  };
  expect(hideCredentials(said)).toEqual(said);
});

test("a field named __proto__ is left out and changes nothing", () => {
  const hidden = hideCredentials(JSON.parse('{"a":1,"__proto__":{"polluted":true}}'));
  expect(JSON.stringify(hidden)).toBe('{"a":1}');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
