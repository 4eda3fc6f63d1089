import pg from "pg";
import { describe, expect, test } from "vitest";
import { describeDatabaseFailure, isConnectionLost, isPassing, UnknownOutcome } from "./database-failure";

const fromServer = (code: string) => Object.assign(new pg.DatabaseError("told by the server", 1, "error"), { code });
const fromSystem = (code: string, syscall = "connect") => Object.assign(new Error(code), { code, syscall });
const throughPrisma = (cause: Record<string, unknown>, code = "P2010") =>
  Object.assign(new Error("Prisma"), { code, meta: { driverAdapterError: { name: "DriverAdapterError", cause } } });

describe("what a failure of the database is called", () => {
  test.each([
    ["a full disk", fromServer("53100"), /its disk is full/],
    ["a full disk behind Prisma", throughPrisma({ kind: "postgres", originalCode: "53100" }), /its disk is full/],
    ["a read-only database", fromServer("25006"), /read-only/],
    ["too many connections", fromServer("53300"), /no more connections/],
    ["too many connections behind Prisma", throughPrisma({ kind: "TooManyConnections" }), /no more connections/],
    ["an ended backend", fromServer("57P01"), /cannot be reached/],
    ["a server that is starting", fromServer("57P03"), /cannot be reached/],
    ["a refused connection", fromSystem("ECONNREFUSED"), /cannot be reached/],
    ["a missing socket", fromSystem("ENOENT"), /cannot be reached/],
    ["a connection that broke", new Error("Connection terminated unexpectedly"), /cannot be reached/],
    ["one behind Prisma", throughPrisma({ kind: "ConnectionClosed" }), /cannot be reached/],
    ["one that Prisma could not make", Object.assign(new Error(), { code: "P1001" }), /cannot be reached/],
  ])("%s", (_, error, sentence) => {
    expect(describeDatabaseFailure(error)).toMatch(sentence);
  });

  test.each([
    ["a broken rule", fromServer("23505")],
    ["a broken rule behind Prisma", throughPrisma({ kind: "UniqueConstraintViolation", originalCode: "23505" })],
    ["a missing file", fromSystem("ENOENT", "open")],
    ["a mistake of ours", new TypeError("x is not a function")],
    ["nothing", undefined],
  ])("%s is none", (_, error) => {
    expect(describeDatabaseFailure(error)).toBeNull();
  });
});

test("only what breaks a connection leaves open what was done on it", () => {
  expect(isConnectionLost(fromServer("57P01"))).toBe(true);
  expect(isConnectionLost(fromSystem("ECONNRESET", "read"))).toBe(true);
  expect(isConnectionLost(fromServer("53100"))).toBe(false);
  expect(isConnectionLost(fromServer("40001"))).toBe(false);
});

test("what the database may do later is told from what is wrong", () => {
  const passing = [
    new UnknownOutcome(undefined),
    fromServer("57P01"),
    fromServer("40P01"),
    fromServer("53100"),
    fromServer("25006"),
    fromSystem("ECONNREFUSED"),
    Object.assign(new Error(), { code: "P1001" }),
    throughPrisma({ kind: "postgres", originalCode: "40001" }),
    new Error("Client has encountered a connection error and is not queryable"),
    new Error("Client was closed and is not queryable"),
    fromSystem("ENETUNREACH"),
  ];
  expect(passing.filter((error) => !isPassing(error))).toEqual([]);
  const lasting = [
    fromServer("23505"),
    fromServer("22021"),
    fromSystem("ENOENT", "open"),
    new TypeError("x"),
    undefined,
  ];
  expect(lasting.filter(isPassing)).toEqual([]);
});
