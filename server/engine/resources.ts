import type pg from "pg";
import type { ModelDirectory } from "@/server/models/model";
import type { Toolbox } from "@/server/tools/tool";
import type { BoundedWork } from "./bounded-work";
import type { CallSlots } from "./call-slots";
import type { WorkHub } from "./hub";
import type { Flusher } from "./journal/flusher";
import type { LiveText } from "./live-text";
import type { Gates } from "./resilience/gates";
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
  slots: CallSlots;
  gates: Gates;
  bounded: BoundedWork;
  /** Absent: replies are not streamed. */
  liveText?: LiveText;
  models: ModelDirectory;
  toolbox: Toolbox;
  engineTools: ReadonlyMap<string, EngineTool>;
  workerId: string;
  /** The database's time: workers' clocks may differ. */
  now(): Date;
  random(): number;
  /** Starts stored agent runs in this process. */
  launch(agentRunIds: readonly string[]): void;
  /** This process is ending: an execution stops before its next step, for another worker to go on. */
  isLeaving(): boolean;
  /** Only in fault tests. */
  atFaultPoint?(point: FaultPoint, agentRunId: string, position: number): Promise<void>;
};
