import { entityOfKey } from "@/server/engine/run-context";
import { storedJson } from "@/server/engine/stored-json";

/** Whether an agent run is about an entity; `value` is the place of `aboutValue` in the statement. By the index on contexts. */
export const isAbout = (alias: string, value: string) => `${alias}.context @> ${value}::jsonb`;

/** The entity of a key, as `isAbout` compares it. */
export const aboutValue = (key: string) => storedJson({ entities: [entityOfKey(key)] });
