import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { guardedFetch } from "@/server/outgoing/guarded-fetch";
import { OutgoingRefusedError } from "@/server/outgoing/refused";
import { isPrivateTarget, type Resolver } from "@/server/outgoing/targets";

/** A server on the loopback that counts what reaches it: whatever is refused must not even have connected. */
type Local = { port: number; connections: number; requests: IncomingMessage[]; close: () => Promise<void> };

async function startLocal(listener: RequestListener): Promise<Local> {
  const local: Local = { port: 0, connections: 0, requests: [], close: async () => {} };
  const server = createServer((request, response) => {
    local.requests.push(request);
    listener(request, response);
  });
  server.on("connection", () => local.connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  local.port = (server.address() as AddressInfo).port;
  local.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return local;
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => "answered",
    (thrown: unknown) => thrown,
  );
  return error instanceof OutgoingRefusedError ? error.code : `no refusal: ${String(error)}`;
}

const PRIVATE = "The address is on a private network. Calls there need an owner to allow its host and port first.";
const to =
  (address: string, family = 4): Resolver =>
  async () => [{ address, family }];

describe("addresses that are refused (A13)", () => {
  let victim: Local;
  beforeAll(async () => {
    victim = await startLocal((_request, response) => response.end("secret"));
  });
  afterAll(() => victim.close());
  afterEach(() => expect(victim.connections).toBe(0));

  test.each([
    ...["127.0.0.1", "127.1", "127.1.2.3", "0.0.0.0", "0", "2130706433", "0177.0.0.1", "0x7f.0.0.1", "0x7f000001"],
    ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]"],
    ...["[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fd00:ec2::254]", "[fe80::1]", "[ff02::1]"],
    ...["169.254.169.254", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255"],
    ...["127。0。0。1", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127%2e0%2e0%2e1", "127.0.0.1."],
    ...["localhost", "LOCALHOST", "localhost.", "app.localhost", "ℓocalhost"],
  ])("%s is refused without connecting, in the same words as every private address", async (host) => {
    const error = await guardedFetch()(`http://${host}:${victim.port}/`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutgoingRefusedError);
    expect(error).toMatchObject({ code: "private-host", message: PRIVATE });
  });

  test.each([
    ...["file:///etc/passwd", "gopher://127.0.0.1/", "data:text/plain,hello", "ftp://example.org/", "blob:x"],
    ...["http://user:password@example.org/", "https://user@example.org/", "http://[fe80::1%25eth0]/", "http://"],
    ...["javascript:alert(1)", "//example.org", "example.org", "http://a..b../"],
  ])("%s is no address to call", async (url) => {
    expect(await refusalOf(guardedFetch()(url))).toBe("bad-url");
  });

  test.each([
    ["127.0.0.1", 4],
    ["10.1.2.3", 4],
    ["169.254.169.254", 4],
    ["::1", 6],
    ["::ffff:127.0.0.1", 6],
    ["fd00:ec2::254", 6],
  ])("a public name that resolves to %s is refused", async (address, family) => {
    const fetch = guardedFetch({ resolver: to(address, family) });
    expect(await refusalOf(fetch(`http://innocent.example.org:${victim.port}/`))).toBe("private-host");
    expect(await isPrivateTarget("http://innocent.example.org", to(address, family))).toBe(true);
  });

  test("one private address among public ones is enough to refuse", async () => {
    const resolver: Resolver = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    expect(await refusalOf(guardedFetch({ resolver })(`http://mixed.example.org:${victim.port}/`))).toBe(
      "private-host",
    );
  });

  test("a name that changes to a private address after the check is judged again at the connection", async () => {
    const answers = ["93.184.216.34", "127.0.0.1"];
    let asked = 0;
    const resolver: Resolver = async () => [{ address: answers[Math.min(asked++, 1)] ?? "", family: 4 }];
    expect(await isPrivateTarget("http://rebinding.example.org", resolver)).toBe(false);
    const fetch = guardedFetch({ resolver });
    expect(await refusalOf(fetch(`http://rebinding.example.org:${victim.port}/`))).toBe("private-host");
    expect(asked).toBe(2);
  });

  test("a name allowed by an owner is not followed to a cloud's own addresses", async () => {
    const fetch = guardedFetch({ allowPrivate: new Set([`nas.lan:${victim.port}`]), resolver: to("169.254.169.254") });
    expect(await refusalOf(fetch(`http://nas.lan:${victim.port}/`))).toBe("private-host");
  });

  test("an allowance counts for its own port and its own spelling only", async () => {
    const fetch = guardedFetch({ allowPrivate: new Set(["127.0.0.1:1", "localhost:1"]) });
    for (const host of ["127.0.0.1", "localhost", "127.0.0.2"]) {
      expect(await refusalOf(fetch(`http://${host}:${victim.port}/`))).toBe("private-host");
    }
  });
});

describe("calls that are made", () => {
  const locals: Local[] = [];
  const started = async (listener: RequestListener) => {
    const local = await startLocal(listener);
    locals.push(local);
    return local;
  };
  afterEach(async () => {
    await Promise.all(locals.splice(0).map((local) => local.close()));
  });
  const allowing = (...ports: number[]) => new Set(ports.map((port) => `127.0.0.1:${port}`));

  test("an allowed host is called with method, headers and body, over connections that are kept", async () => {
    const local = await started((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => response.end(`${request.method} ${request.headers.authorization} ${body}`));
    });
    const fetch = guardedFetch({ allowPrivate: allowing(local.port) });
    for (let call = 0; call < 8; call++) {
      const response = await fetch(`http://127.0.0.1:${local.port}/v1`, {
        method: "POST",
        headers: new Headers({ authorization: "Bearer key" }),
        body: "hello",
      });
      expect(await response.text()).toBe("POST Bearer key hello");
    }
    // A connection comes back to the pool a moment after the last byte, so the next call may just miss it.
    expect(local.connections).toBeLessThan(4);
  });

  test("a connection opened for one that was allowed is not lent to one that was not", async () => {
    const local = await started((_request, response) => response.end("secret"));
    const url = `http://127.0.0.1:${local.port}/`;
    await (await guardedFetch({ allowPrivate: allowing(local.port) })(url)).text();
    expect(await refusalOf(guardedFetch()(url))).toBe("private-host");
    expect(local.requests).toHaveLength(1);
  });

  test("a name resolves once for a connection, and the address that was judged is the one connected to", async () => {
    const local = await started((_request, response) => response.end("here"));
    let asked = 0;
    const resolver: Resolver = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.255.255.1", family: 4 }];
    const fetch = guardedFetch({ allowPrivate: new Set([`nas.lan:${local.port}`]), resolver });
    expect(await (await fetch(`http://nas.lan:${local.port}/`)).text()).toBe("here");
    expect(asked).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])(
    "a redirect (%i) to a private host that was not allowed is refused",
    async (status) => {
      const victim = await started((_request, response) => response.end("secret"));
      const open = await started((_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${victim.port}/` }).end(),
      );
      const fetch = guardedFetch({ allowPrivate: allowing(open.port) });
      expect(await refusalOf(fetch(`http://127.0.0.1:${open.port}/`))).toBe("private-host");
      expect(victim.connections).toBe(0);
    },
  );

  test.each(["file:///etc/passwd", "gopher://x/", "http://user:pass@127.0.0.1/"])(
    "a redirect to %s is refused",
    async (location) => {
      const open = await started((_request, response) => response.writeHead(302, { location }).end());
      const fetch = guardedFetch({ allowPrivate: allowing(open.port) });
      expect(await refusalOf(fetch(`http://127.0.0.1:${open.port}/`))).toBe("bad-url");
    },
  );

  test("a redirect to another origin takes no key along, one to the same origin does", async () => {
    const other = await started((_request, response) => response.end("end"));
    const first = await started((request, response) => {
      const location = request.url === "/" ? "/again" : `http://127.0.0.1:${other.port}/`;
      response.writeHead(307, { location }).end();
    });
    const fetch = guardedFetch({ allowPrivate: allowing(first.port, other.port) });
    const headers = { authorization: "Bearer key", "x-api-key": "key", cookie: "a=b", accept: "text/plain" };
    await (await fetch(`http://127.0.0.1:${first.port}/`, { headers })).text();
    expect(first.requests.map((request) => request.headers.authorization)).toEqual(["Bearer key", "Bearer key"]);
    const arrived = other.requests[0]?.headers ?? {};
    expect(arrived.accept).toBe("text/plain");
    expect(JSON.stringify(arrived)).not.toMatch(/key|a=b/);
  });

  test("redirects end: after five, and where the caller follows none", async () => {
    const loop = await started((_request, response) => response.writeHead(302, { location: "/" }).end());
    const fetch = guardedFetch({ allowPrivate: allowing(loop.port) });
    const url = `http://127.0.0.1:${loop.port}/`;
    expect(await refusalOf(fetch(url))).toBe("too-many-redirects");
    expect(loop.requests).toHaveLength(6);
    expect((await fetch(url, { redirect: "manual" })).status).toBe(302);
    await expect(fetch(url, { redirect: "error" })).rejects.toThrow(TypeError);
  });

  test("a body larger than allowed is refused, whether its length is told or not, also when it was packed", async () => {
    const text = "x".repeat(100_000);
    const local = await started((request, response) => {
      if (request.url === "/told") response.writeHead(200, { "content-length": text.length }).end(text);
      else if (request.url === "/packed") response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));
      else for (let at = 0; at < 10; at++) response.write(text.slice(0, 10_000));
      response.end();
    });
    const call = (path: string, maxResponseBytes: number) =>
      guardedFetch({ allowPrivate: allowing(local.port), maxResponseBytes })(
        `http://127.0.0.1:${local.port}${path}`,
      ).then((response) => response.text());
    for (const path of ["/told", "/chunks", "/packed"]) {
      expect({ path, outcome: await refusalOf(call(path, 50_000)) }).toEqual({ path, outcome: "too-large" });
      expect(await call(path, 100_000)).toBe(text);
    }
  });

  test("calls say who makes them, and what was packed without an end is read as far as it goes", async () => {
    const local = await started((request, response) => {
      const packed = gzipSync(String(request.headers["user-agent"]));
      response.writeHead(200, { "content-encoding": "gzip" }).end(packed.subarray(0, -8));
    });
    const fetch = guardedFetch({ allowPrivate: allowing(local.port) });
    const url = `http://127.0.0.1:${local.port}/`;
    expect(await (await fetch(url)).text()).toBe("troupe");
    expect(await (await fetch(url, { headers: { "user-agent": "its own" } })).text()).toBe("its own");
  });

  test("a server that is not there is a failure of the network, not a refusal", async () => {
    const gone = await started(() => {});
    await gone.close();
    const error = await guardedFetch({ allowPrivate: allowing(gone.port) })(`http://127.0.0.1:${gone.port}/`).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).not.toBeInstanceOf(OutgoingRefusedError);
    expect((error as Error & { cause: { code: string } }).cause.code).toBe("ECONNREFUSED");
  });

  test("an answer that streams is told piece by piece, and one that is given up ends at once, read or not", async () => {
    const closed: string[] = [];
    const local = await started((request, response) => {
      response.on("close", () => closed.push(request.url ?? ""));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("first");
    });
    const fetch = guardedFetch({ allowPrivate: allowing(local.port) });
    const open = async (path: string) => {
      const { body } = await fetch(`http://127.0.0.1:${local.port}${path}`);
      if (!body) throw new Error("there is no body");
      return body;
    };
    await (await open("/unread")).cancel();
    const reader = (await open("/silent")).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("first");
    const next = reader.read();
    await reader.cancel();
    expect(await next).toMatchObject({ done: true });
    await vi.waitFor(() => expect(closed.toSorted()).toEqual(["/silent", "/unread"]));
  });

  test("an aborted call ends at once", async () => {
    const silent = await started(() => {});
    const controller = new AbortController();
    const call = guardedFetch({ allowPrivate: allowing(silent.port) })(`http://127.0.0.1:${silent.port}/`, {
      signal: controller.signal,
    });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});
