// Loaded into every child by --import. The launcher listens on a socket as long as it lives; the kernel closes it
// however the launcher ends, SIGKILL included, and then this process must not go on as an orphan.
import net from "node:net";
import { isMainThread } from "node:worker_threads";

const path = process.env.TROUPE_LAUNCHER;
if (path && isMainThread) {
  const socket = net.connect(path);
  socket.resume();
  socket.unref();
  socket.on("error", () => {});
  socket.on("close", () => process.exit(1));
}
