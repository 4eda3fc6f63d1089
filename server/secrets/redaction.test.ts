import { expect, test } from "vitest";
import { isTelling } from "./redaction";

test.each(["sk-live-4f9a", "Zq81mNbV", "QwErTyUiOp", "p4ssw0rd", "correct horse battery staple", "pass\nword-1"])(
  "%j is taken out of what people say",
  (secret) => expect(isTelling(secret)).toBe(true),
);

test.each([
  "",
  "info",
  "debug",
  "ollama",
  "lm-studio",
  "production",
  "Production",
  "PRODUCTION",
  "/usr/lib",
  "pa55w0r",
])("%j is a word that anybody may write", (secret) => expect(isTelling(secret)).toBe(false));
