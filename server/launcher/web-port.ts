import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf, LauncherError, reasonOf } from "./launcher-error";
import { type Settings, webUrl } from "./settings";

/** A killed launcher's children need a moment to let go of the port, in milliseconds. */
const WAIT_FOR_PORT_MS = 3_000;

/** Throws LauncherError when the web server could not listen where the settings say. */
export async function assertPortFree({ host, port }: Pick<Settings, "host" | "port">): Promise<void> {
  const deadline = Date.now() + WAIT_FOR_PORT_MS;
  for (;;) {
    const problem = await tryToListen(host, port);
    if (problem === null) return;
    const code = codeOf(problem);
    if (code === "EADDRINUSE") {
      if (Date.now() < deadline) {
        await delay(100);
        continue;
      }
      throw new LauncherError(
        `Port ${port} is already in use. Stop the program that uses it, or choose another: PORT=${port === 65535 ? port - 1 : port + 1} npm start.`,
      );
    }
    if (code === "EACCES") {
      throw new LauncherError(`This user may not listen on port ${port}. Set PORT to a number above 1023.`);
    }
    throw new LauncherError(
      `Cannot listen on ${host} (${code ?? reasonOf(problem)}). Set HOST to an address of this machine, or leave it unset.`,
    );
  }
}

function tryToListen(host: string, port: number): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", resolve);
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
}

/** Resolves at the first HTTP answer of any kind. */
export async function untilWebAnswers(settings: Pick<Settings, "host" | "port">): Promise<void> {
  for (;;) {
    try {
      await fetch(`${webUrl(settings)}/healthz/live`, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
      return;
    } catch {
      await delay(100);
    }
  }
}
