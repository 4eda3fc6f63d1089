import { buildWeb } from "./product-build";
import { runToExit } from "./run-to-exit";

/** `npm run build`: what `npm start` would otherwise do on its first run. */
await runToExit(buildWeb);
