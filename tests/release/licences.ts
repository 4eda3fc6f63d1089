import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@/server/launcher/settings";
import { LICENCE_PAGE, licencePage, objectionTo, productionPackages } from "./licence-list";

/** npm run licences: writes the page of licences, and fails where one of them may not be used. */
const packages = productionPackages();
const file = join(root, LICENCE_PAGE);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, licencePage(packages));
const objections = packages.flatMap((one) => objectionTo(one) ?? []);
for (const objection of objections) console.error(objection);
console.log(`${packages.length} packages, ${objections.length} objections; see ${LICENCE_PAGE}`);
process.exit(objections.length > 0 ? 1 : 0);
