import { expect, test } from "vitest";
import { redactorOf } from "./server-secrets";

test("a token is blotted out without the word before it, and a password without the encoding around it", () => {
  const basic = `Basic ${Buffer.from("ada:correct horse battery").toString("base64")}`;
  const redact = redactorOf({ Authorization: "Bearer sk-0123456789abcdef", "X-Proxy": basic });
  expect(redact("sk-0123456789abcdef")).toBe("[hidden]");
  expect(redact(`you sent ${basic}`)).toBe("you sent [hidden]");
  expect(redact({ login: ["ada", "correct horse battery"] })).toEqual({ login: ["ada", "[hidden]"] });
});

test("what only looks like a login is left as it is", () => {
  expect(redactorOf({ A: "Basic !!!" })("anything else")).toBe("anything else");
});
