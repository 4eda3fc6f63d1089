import { expect, test } from "vitest";
import { insideJson } from "./inside-json";
import { PII_MARKS, redactPii, redactText } from "./pii";

const { email, phone, card, ssn, key, ip } = PII_MARKS;

test.each([
  ["write to jane.doe+news@mail.example.co.uk, please", `write to ${email}, please`],
  ["<O'Brien_1@example.com>", `<${email}>`],
  ["müller@bücher.example", email],
  ["?to=jane%40example.com&x=1", `?to=${email}&x=1`],
  ['{"note":"hello\\njane@example.com"}', `{"note":"hello\\n${email}"}`],
  ["a@b", "a@b"],
  ["@types/node and user@localhost", "@types/node and user@localhost"],
])("an e-mail address: %s", (text, clean) => {
  expect(redactText(text)).toBe(clean);
});

test.each([
  ["call +1 (212) 555-0123 today", `call ${phone} today`],
  ["+44 20 7946 0958", phone],
  ["+49301234567", phone],
  ["0044 20 7946 0958", phone],
  ["(212) 555-0123", phone],
  ["212-555-0123 or 212.555.0124.", `${phone} or ${phone}.`],
  ["030 12345678", phone],
  ["0171/1234567", phone],
  ["phone: 5550123", `phone: ${phone}`],
  ["Tel. 2125550123", `Tel. ${phone}`],
])("a phone number: %s", (text, clean) => {
  expect(redactText(text)).toBe(clean);
});

test.each([
  ...["2026-11-24", "24.11.2026", "11/24/2026", "2026-11-24T08:30:00.000Z", "08:30:15", "20261124120000"],
  ...["order 4500012345", "order #10023-4456", "invoice 2026-000123", "A-1234567", "ticket 1234567890"],
  ...["version 10.2.3.4", "v1.2.3.4", "1.22.333", "node 20.20.2", "build: 1.0.0.12"],
  ...["018f3e5c-7b1a-7c3e-9a1b-2f3c4d5e6f70", "12345678-1234-1234-1234-123456789012", "call_0123456789abcdef"],
  ...["1,234,567.89", "0.123456789", "3.14159265358979", "12 345 678 EUR", "1000000 tokens", "$1,299.00"],
  ...["127.0.0.1:3000", "0.0.0.0", "std::vector", "12:30:45", "a::b", "00:1a:2b:3c:4d:5e", "10:20:30:40"],
  ...["the token is short", "password: required", "token: something", "sk-short", "secret=abc", "Bearer of news"],
  ...["4111 1111 1111 1112", "4242424242424241", "1234567812345670", "0000 0000 0000 0000"],
  ...["666-12-3456", "000-12-3456", "123-45-67890", "123-00-4567", "part 12-345-6789"],
  ...["ISBN 978-3-16-148410-0", "lines 100-200-3000", "RFC 2822", "§ 312 BGB", "page 12 of 3456"],
])("what looks a little like it stays: %s", (text) => {
  expect(redactText(text)).toBe(text);
});

test.each([
  ["4111 1111 1111 1111", card],
  ["pay with 5555-5555-5555-4444 now", `pay with ${card} now`],
  ["378282246310005", card],
  ["6011111111111117.", `${card}.`],
])("a card that could be one (Luhn, issuer, length): %s", (text, clean) => {
  expect(redactText(text)).toBe(clean);
});

test.each([
  ["my SSN is 123-45-6789.", `my SSN is ${ssn}.`],
  ["123 45 6789", ssn],
])("a social security number: %s", (text, clean) => {
  expect(redactText(text)).toBe(clean);
});

test.each([
  ["from 203.0.113.7:8080", `from ${ip}:8080`],
  ["10.0.0.0/8", `${ip}/8`],
  ["2001:db8:85a3::8a2e:370:7334", ip],
  ["[2001:db8:0:0:1:0:0:1]", `[${ip}]`],
])("an address of a machine: %s", (text, clean) => {
  expect(redactText(text)).toBe(clean);
});

test.each([
  ["sk-proj-abcdefghijklmnop1234", key],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", key],
  ["AKIAIOSFODNN7EXAMPLE", key],
  ["Authorization: Bearer abcdefghijklmnop.qrst", `Authorization: Bearer ${key}`],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N", key],
  ["API_KEY=abc123def456 ok", `API_KEY=${key} ok`],
  ['"password": "hunter22"', `"password": "${key}"`],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", key],
])("a key or token: %s", (text, clean) => {
  expect(redactText(text)).toBe(clean);
});

test("values are looked through in depth, keys and card numbers that are numbers too; what is clean is not copied", () => {
  expect(
    redactPii({ to: ["jane@example.com", { "joe@example.com": 4111111111111111 }], count: 12, none: null }),
  ).toEqual({ to: [email, { [email]: card }], count: 12, none: null });
  const clean = { at: "2026-11-24", list: [1, "two"] };
  expect(redactPii(clean)).toBe(clean);
});

test("JSON stays JSON, and is left as it was written where nothing is taken out", () => {
  expect(JSON.parse(insideJson('{"card": 4111111111111111, "to": "x\\njane@example.com"}', redactPii))).toEqual({
    ...{ card, to: `x\n${email}` },
  });
  expect(insideJson('{ "a" :  1 }', redactPii)).toBe('{ "a" :  1 }');
  expect(insideJson("{not json jane@example.com", redactPii)).toBe(`{not json ${email}`);
});

test("doing it twice changes nothing more", () => {
  const once = redactText(
    "jane@example.com 203.0.113.7 +44 20 7946 0958 password=hunter22 4111111111111111 123-45-6789",
  );
  expect(redactText(once)).toBe(once);
});

/** Each would take a careless pattern for ever. Not a measurement: what is not linear does not come to its end within the test's time. */
test("long texts of anything are looked through", { timeout: 60_000 }, () => {
  const nasty = [
    "a",
    "1",
    "1 ",
    "1-",
    "a@",
    "a.",
    "1.1.",
    ":",
    "a:",
    "(",
    "+1 ",
    "0 ",
    "eyJ",
    "sk-",
    "token=",
    "-----BEGIN PRIVATE KEY-----",
    "\\n",
    "Bearer ",
    "tel: ",
    " ",
  ];
  for (const piece of nasty) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    expect(typeof redactText(text)).toBe("string");
  }
});
