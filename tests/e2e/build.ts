import { execFileSync } from "node:child_process";
import { isWebBuilt } from "@/server/launcher/product-build";
import { root } from "@/server/launcher/settings";

/** The browser tests run what users run: the production build. */
export default function build(): void {
  if (!isWebBuilt()) execFileSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });
}
