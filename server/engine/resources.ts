import type pg from "pg";
import type { Model } from "@/server/models/model";
import type { Tool } from "@/server/tools/tool";
import type { WorkHub } from "./hub";
import type { Flusher } from "./journal/flusher";
import type { LiveText } from "./live-text";
import type { EngineTool } from "./tools/engine-tool";

/** Moments at which a fault test may stop the process. */
export type FaultPoint =
  | "before-model"
  | "after-model"
  | "after-intent"
  | "after-effect"
  | "after-result"
  | "in-wait"
  | "before-final";

/** All the engine needs from outside. */
export type EngineResources = {
  pool: pg.Pool;
  flusher: Flusher;
  hub: WorkHub;
  /** Absent: replies are not streamed. */
  liveText?: LiveText;
  model: Model;
  tools: ReadonlyMap<string, Tool>;
  engineTools: ReadonlyMap<string, EngineTool>;
  workerId: string;
  /** The database's time: workers' clocks may differ. */
  now(): Date;
  random(): number;
  /** Starts stored agent runs in this process. */
  launch(agentRunIds: readonly string[]): void;
  /** Only in fault tests. */
  atFaultPoint?(point: FaultPoint, agentRunId: string, position: number): Promise<void>;
};
