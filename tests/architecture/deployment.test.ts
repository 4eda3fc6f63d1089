import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { contextEntries, ignoreLines, reachesBuild, readDockerfile } from "@/tests/release/dockerfile";
import { ROOT } from "./source-files";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const stages = readDockerfile();
const runtime = stages.at(-1);
const SECRET = /secret|token|password|api_?key/i;

type Service = {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  mem_limit?: string;
  read_only?: boolean;
  privileged?: boolean;
};
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as {
  services: Record<string, Service>;
  volumes: object;
};
const services = Object.entries(compose.services);

/** How long the launcher may need to end its children, one after the other. */
const graceS = [...read("server/launcher/launch.ts").matchAll(/graceMs: ([\d_]+)/g)]
  .map(([, ms = ""]) => Number(ms.replaceAll("_", "")) / 1000)
  .reduce((sum, seconds) => sum + seconds, 0);

test("the linter finds nothing in the Dockerfile", () => {
  expect(validate(read("Dockerfile"))).toEqual([]);
});

test("every image is pinned to an exact version, and all stages to the same", () => {
  const images = [...stages.map(({ image }) => image), ...services.flatMap(([, { image }]) => image ?? [])];
  expect(images.filter((image) => !/:\d+\.\d+\.\d+/.test(image))).toEqual([]);
  expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
});

test("the image runs as nobody special, one process in the foreground, and says whether it is well", () => {
  expect(runtime?.user).toMatch(/^(?!root$|0$)\w+/);
  expect(runtime?.command).not.toBeNull();
  expect(runtime?.healthcheck?.join(" ")).toContain("/healthz/ready");
  expect(runtime?.stopSignal).toBe("SIGTERM");
  expect(runtime?.volumes).toContain(runtime?.env.DATA_DIR);
});

test("no secret is put into the image, and none can come along from the checkout", () => {
  expect(stages.flatMap(({ env }) => Object.keys(env)).filter((name) => SECRET.test(name))).toEqual([]);
  expect(ignoreLines()[0]).toBe("*");
  expect(contextEntries().filter((name) => name.startsWith("."))).toEqual([]);
  expect([".env", ".data", ".git", "server/.env", "prisma/generated/client.ts"].filter(reachesBuild)).toEqual([]);
});

test("whatever is copied exists and reaches the build", () => {
  const copied = stages.flatMap(({ steps }) => steps.flatMap((step) => ("copy" in step ? [step.copy] : [])));
  const fromCheckout = copied.flatMap(({ from, sources }) => (from ? [] : sources)).filter((source) => source !== ".");
  expect(fromCheckout.filter((path) => !existsSync(join(ROOT, path)) || !reachesBuild(path))).toEqual([]);
  const names = stages.map(({ name }) => name);
  expect(copied.flatMap(({ from }) => from ?? []).filter((from) => !names.includes(from))).toEqual([]);
  expect(ignoreLines().filter((line) => line.startsWith("!") && !existsSync(join(ROOT, line.slice(1))))).toEqual([]);
});

test("packages are installed from the lock, and none runs anything of its own while it is", () => {
  const installs = stages.flatMap(({ steps }) => steps.flatMap((step) => ("run" in step ? [step.run] : [])));
  const npm = installs.filter((run) => /npm (ci|i|install|add)\b/.test(run));
  expect(npm).toHaveLength(2);
  expect(npm.filter((run) => !/^npm ci .*--ignore-scripts/.test(run))).toEqual([]);
});

test("the compose file keeps the database to itself, bounds memory, and starts what depends on what in order", () => {
  const ports = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
  expect(ports.filter((port) => !port.startsWith("app 127.0.0.1:"))).toEqual([]);
  expect(services.filter(([, { mem_limit, stop_grace_period }]) => !mem_limit || !stop_grace_period)).toEqual([]);
  expect(services.filter(([, { privileged }]) => privileged)).toEqual([]);
  expect(services.filter(([, { healthcheck }]) => healthcheck?.disable).map(([name]) => name)).toEqual(["worker"]);
  const conditions = services.flatMap(([, { depends_on = {} }]) => Object.values(depends_on));
  expect(conditions.length).toBeGreaterThan(0);
  expect(conditions.filter(({ condition }) => condition !== "service_healthy")).toEqual([]);
  const { app, worker } = compose.services;
  expect(worker?.image).toBe(app?.image);
  expect(worker?.environment).toEqual(app?.environment);
  expect([app?.read_only, worker?.read_only]).toEqual([true, true]);
});

test("no value of a secret is written down", () => {
  const written = services.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name, value]) => SECRET.test(name) && !/^\$\{\w+(:[?-][^}]*)?\}$/.test(value)),
  );
  expect(written).toEqual([]);
  const settings = read("deploy/env.example")
    .split("\n")
    .filter((line) => SECRET.test(line.split("=")[0] ?? "") && !line.startsWith("#"));
  expect(settings.filter((line) => !line.endsWith("="))).toEqual([]);
});

test("whoever ends the product waits as long as it may need to end in order", () => {
  expect(graceS).toBeGreaterThan(0);
  expect(Number.parseInt(compose.services.app?.stop_grace_period ?? "", 10)).toBeGreaterThan(graceS);
  expect(Number(/TimeoutStopSec=(\d+)/.exec(read("deploy/troupe.service"))?.[1])).toBeGreaterThan(graceS);
  for (const unit of ["deploy/troupe.service", "deploy/troupe-worker@.service"]) {
    expect(read(unit)).toMatch(/^KillMode=mixed$/m);
    expect(read(unit)).toMatch(/^NoNewPrivileges=yes$/m);
  }
});

test("the image, the compose file and the units start files that exist", () => {
  const starts = [
    runtime?.command?.join(" ") ?? "",
    compose.services.worker?.command?.join(" ") ?? "",
    ...["deploy/troupe.service", "deploy/troupe-worker@.service"].map(
      (unit) => /^ExecStart=(.*)$/m.exec(read(unit))?.[1] ?? "",
    ),
  ];
  const scripts = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(starts[0]).toBe(scripts.scripts.start);
  expect(starts[1]).toBe(scripts.scripts.worker);
  expect(starts.slice(2)).toEqual(starts.slice(0, 2).map((start) => `/usr/bin/env ${start}`));
});
