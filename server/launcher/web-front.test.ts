import { EventEmitter, once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { originOf } from "./forwarded.mjs";
import { createWebFront } from "./web-front.mjs";

type Handle = Parameters<typeof createWebFront>[0]["handle"];
type Settings = { proxies?: number; hosts?: string[] | null; handle?: Handle; bodyMs?: number; stalledMs?: number };

const fronts: ReturnType<typeof createWebFront>[] = [];
afterEach(async () => {
  for (const front of fronts.splice(0)) await front.drain(0);
});

const tellHeaders: Handle = async (incoming, response) => void response.end(JSON.stringify(incoming.headers));

async function aFront({ proxies = 0, hosts = null, handle = tellHeaders, ...also }: Settings = {}) {
  const front = createWebFront({ handle, proxies, hosts, ...also });
  fronts.push(front);
  await once(front.server.listen(0, "127.0.0.1"), "listening");
  return { front, port: (front.server.address() as AddressInfo).port };
}

/** As any program may send it: also headers a browser would not let a page set. */
async function get(port: number, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const asked = request({ port, host: "127.0.0.1", headers, agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  let body = "";
  for await (const piece of answer) body += piece;
  return { status: answer.statusCode ?? 0, body };
}

const FORGED = {
  "x-forwarded-for": "198.51.100.1, 203.0.113.9",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "evil.example",
  "x-real-ip": "198.51.100.1",
  forwarded: "for=198.51.100.1",
};

describe("A49: what holds a connection", () => {
  const readBody: Handle = async (incoming, response) => {
    let bytes = 0;
    for await (const piece of incoming) bytes += piece.length;
    response.end(String(bytes));
  };
  const send = (port: number, path: string) =>
    request({ port, host: "127.0.0.1", path, method: "POST", headers: { "content-length": "10" }, agent: false });

  test("a body that does not come in time is given up with 408, and the connection with it", async () => {
    const { port } = await aFront({ handle: readBody, bodyMs: 50 });
    const slow = send(port, "/api/trpc/runs.start");
    slow.on("error", () => {});
    slow.write("12345");
    const [answer] = (await once(slow, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(408);
    answer.resume();
    await once(slow, "close");
    expect(slow.destroyed).toBe(true);
  });

  test("one that comes in pieces but in time is taken, and a file may take longer", async () => {
    const { port } = await aFront({ handle: readBody, bodyMs: 50 });
    const quick = send(port, "/api/trpc/runs.start");
    quick.write("12345");
    quick.end("67890");
    expect(((await once(quick, "response")) as [IncomingMessage])[0].statusCode).toBe(200);
    const late = send(port, "/api/upload?name=a");
    late.write("12345");
    // Begun after it, and given up: the file's time has passed as well.
    const other = send(port, "/api/trpc/runs.start");
    other.on("error", () => {});
    other.write("1");
    expect(((await once(other, "response")) as [IncomingMessage])[0].statusCode).toBe(408);
    late.end("67890");
    expect(((await once(late, "response")) as [IncomingMessage])[0].statusCode).toBe(200);
  });

  test("who takes nothing of an event stream is hung up on; who takes nothing of a file is not", async () => {
    const handle: Handle = async (incoming, response) => {
      const isStream = incoming.url === "/live";
      response.setHeader("content-type", isStream ? "text/event-stream" : "application/octet-stream");
      // More than the two ends of a connection take in by themselves.
      response.write(Buffer.alloc(32 * 1024 * 1024));
    };
    const { front, port } = await aFront({ handle, stalledMs: 50 });
    const takeNothing = async (path: string) => {
      const asked = once(front.server, "request");
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {}).pause();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      const [, response] = (await asked) as [IncomingMessage, ServerResponse];
      return response;
    };
    const file = await takeNothing("/file");
    const live = await takeNothing("/live");
    await once(live, "close");
    expect(live.writableFinished).toBe(false);
    expect(file).toMatchObject({ destroyed: false, writableNeedDrain: true });
  });

  test("headers of 32 kB are refused with 431", async () => {
    const { port } = await aFront();
    const asked = request({ port, host: "127.0.0.1", headers: { "x-large": "x".repeat(32_000) }, agent: false });
    asked.on("error", () => {});
    asked.end();
    expect(((await once(asked, "response")) as [IncomingMessage])[0].statusCode).toBe(431);
  });
});

describe("forwarded headers", () => {
  test("without a proxy of one's own they are thrown away, and the socket's address counts", async () => {
    const { port } = await aFront();
    const { body } = await get(port, { ...FORGED, host: `127.0.0.1:${port}` });
    const seen = JSON.parse(body) as IncomingHttpHeaders;
    expect(seen).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-host": `127.0.0.1:${port}`,
    });
    expect(Object.keys(seen)).not.toContain("x-real-ip");
    expect(Object.keys(seen)).not.toContain("forwarded");
  });

  test("behind one proxy what that one wrote counts, and nothing a caller claimed before it", async () => {
    const { port } = await aFront({ proxies: 1 });
    const { body } = await get(port, { ...FORGED, host: "troupe.example.com" });
    expect(JSON.parse(body)).toMatchObject({
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "troupe.example.com",
    });
  });

  const from = (forwarded: string | undefined, proxies: number) =>
    originOf(
      {
        headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
        socket: { remoteAddress: "::ffff:10.0.0.2" } as IncomingMessage["socket"],
      },
      proxies,
    ).address;

  test.each([
    { says: "1.1.1.1, 2.2.2.2, 3.3.3.3", proxies: 2, address: "2.2.2.2" },
    { says: "1.1.1.1", proxies: 2, address: "1.1.1.1" },
    { says: " , ", proxies: 1, address: "10.0.0.2" },
    { says: undefined, proxies: 1, address: "10.0.0.2" },
    { says: "1.1.1.1", proxies: 0, address: "10.0.0.2" },
  ])("“$says” behind $proxies proxies is $address", ({ says, proxies, address }) => {
    expect(from(says, proxies)).toBe(address);
  });
});

describe("the Host header", () => {
  test("a name that is not the installation's is refused before anything looks at the request (A38)", async () => {
    let handled = 0;
    const handle: Handle = async (_, response) => {
      handled += 1;
      response.end();
    };
    const { port } = await aFront({ hosts: [], handle });
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "@localhost",
    ]) {
      const { status, body } = await get(port, { host });
      expect({ host, status }).toEqual({ host, status: 403 });
      expect(body).toContain("ALLOWED_HOSTS");
    }
    expect(handled).toBe(0);
    for (const host of [`localhost:${port}`, "127.0.0.1", "[::1]:3000", "LOCALHOST", "troupe.localhost"]) {
      expect({ host, status: (await get(port, { host })).status }).toEqual({ host, status: 200 });
    }
  });

  test("names that were set are answered to, and so is this machine", async () => {
    const { port } = await aFront({ hosts: ["troupe.example.com"] });
    const statuses = [];
    for (const host of ["troupe.example.com", "Troupe.Example.com:8443", "localhost", "other.example.com"]) {
      statuses.push((await get(port, { host })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 403]);
  });
});

describe("the end", () => {
  test("streams are ended, requests under way finish, nobody new gets in", async () => {
    const arrived = new EventEmitter();
    const handle: Handle = async (incoming, response: ServerResponse) => {
      if (incoming.url === "/live") {
        response.setHeader("content-type", "text/event-stream");
        response.write("data: one\n\n");
        return;
      }
      arrived.emit("slow", response);
    };
    const { front, port } = await aFront({ handle });
    const url = `http://127.0.0.1:${port}`;
    const live = await fetch(`${url}/live`);
    const slowAsked = once(arrived, "slow");
    const slow = fetch(`${url}/slow`);
    const [response] = (await slowAsked) as [ServerResponse];

    const drained = front.drain(20_000);
    expect(await live.text()).toBe("data: one\n\n");
    await expect(get(port, {})).rejects.toThrow("ECONNREFUSED");
    response.end("done");
    expect(await (await slow).text()).toBe("done");
    await drained;
  });

  test("what does not finish in time is cut off", async () => {
    const { front, port } = await aFront({ handle: async () => {} });
    const never = fetch(`http://127.0.0.1:${port}`).catch(() => "cut off");
    await once(front.server, "request");
    await front.drain(50);
    expect(await never).toBe("cut off");
  });

  test("a handler that fails is an answer, not the end of the process", async () => {
    const { port } = await aFront({ handle: () => Promise.reject(new Error("meant to be seen in the log")) });
    expect((await get(port, { host: "localhost" })).status).toBe(500);
  });
});
