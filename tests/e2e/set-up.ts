import { execFileSync } from "node:child_process";
import { isWebBuilt } from "@/server/launcher/product-build";
import { root } from "@/server/launcher/settings";
import setUpDatabases from "@/tests/support/databases";
import { makeFirstStart } from "./installation";

/** The browser tests run what users run: the production build, and what its first start left behind. */
export default async function setUp(): Promise<() => Promise<void>> {
  if (!isWebBuilt()) execFileSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });
  const cleanUp = setUpDatabases();
  await makeFirstStart();
  return cleanUp;
}
