import { expect, test, vi } from "vitest";
import { allowedHosts, isLoopback, readSettings, webUrl } from "./settings";

test("only addresses of this machine alone count as loopback", () => {
  expect(["127.0.0.1", "127.8.0.1", "::1", "localhost"].filter(isLoopback)).toHaveLength(4);
  expect(["0.0.0.0", "::", "192.168.1.4", "127.0.0.1.example.org", "example.org"].filter(isLoopback)).toEqual([]);
});

test("the printed address can be opened in a browser", () => {
  expect(webUrl({ host: "127.0.0.1", port: 3000 })).toBe("http://localhost:3000");
  expect(webUrl({ host: "0.0.0.0", port: 80 })).toBe("http://localhost:80");
  expect(webUrl({ host: "::1", port: 3000 })).toBe("http://[::1]:3000");
  expect(webUrl({ host: "10.0.0.5", port: 3000 })).toBe("http://10.0.0.5:3000");
});

test.each(["localhost:11434/v1", "nonsense", "http://"])("%s is refused as the address of a model", (address) => {
  vi.stubEnv("MODEL_BASE_URL", address);
  expect(() => readSettings({ dev: false })).toThrow("MODEL_BASE_URL is not a web address");
  vi.unstubAllEnvs();
});

test.each([
  { set: "MODEL_BASE_URL", to: "http://localhost:11434/v1", missing: "MODEL_NAME" },
  { set: "MODEL_NAME", to: "llama", missing: "MODEL_BASE_URL" },
])("$set without $missing is refused", ({ set, to, missing }) => {
  vi.stubEnv(set, to);
  expect(() => readSettings({ dev: false })).toThrow(`${set} is set, but ${missing} is not`);
  vi.unstubAllEnvs();
});

test("a log level that does not exist is refused before anything is started", () => {
  vi.stubEnv("LOG_LEVEL", "loud");
  expect(() => readSettings({ dev: false })).toThrow("LOG_LEVEL must be one of");
  vi.unstubAllEnvs();
});

test("no proxy is trusted unless their number is set", () => {
  const proxies = (given: string) => {
    vi.stubEnv("TRUST_PROXY", given);
    const settings = readSettings({ dev: false });
    vi.unstubAllEnvs();
    return settings.proxies;
  };
  expect(["", "off", "0", "1", "2"].map(proxies)).toEqual([0, 0, 0, 1, 2]);
  for (const odd of ["true", "-1", "10", "all"]) expect(() => proxies(odd)).toThrow("TRUST_PROXY is");
  vi.unstubAllEnvs();
});

test("the names to answer to: those set; else its own where only this machine can connect; else any", () => {
  const hosts = (environment: Record<string, string>) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    try {
      return allowedHosts(readSettings({ dev: false }));
    } finally {
      vi.unstubAllEnvs();
    }
  };
  expect(hosts({})).toEqual([]);
  expect(hosts({ HOST: "0.0.0.0" })).toBeNull();
  expect(hosts({ TRUST_PROXY: "1" })).toBeNull();
  expect(hosts({ ALLOWED_HOSTS: "Troupe.example.com, 10.0.0.5,fe80::1" })).toEqual([
    "troupe.example.com",
    "10.0.0.5",
    "fe80::1",
  ]);
  for (const odd of ["https://troupe.example.com", "troupe.example.com/", "a b"]) {
    expect(() => hosts({ ALLOWED_HOSTS: odd })).toThrow("ALLOWED_HOSTS holds");
  }
});
