"use client";

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

export type RunCommand = "pause" | "resume" | "stop" | "retry" | "again";
type Offered = ReadonlyMap<RunCommand, () => void>;

const NONE: Offered = new Map();
let offered = NONE;
const listeners = new Set<() => void>();

function set(next: Offered): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Makes what can be done about the run on screen known to the palette, for as long as it can be. Null: nothing. */
export function useOfferRunCommand(command: RunCommand | null, act: () => void): void {
  const latest = useEffectEvent(act);
  useEffect(() => {
    if (command === null) return;
    const mine = () => latest();
    set(new Map([...offered, [command, mine]]));
    return () => {
      if (offered.get(command) === mine) set(new Map([...offered].filter(([name]) => name !== command)));
    };
  }, [command]);
}

/** Does one of them; null where it is not offered. For keys, which are told of nothing until they are pressed. */
export const offeredCommand = (...commands: readonly RunCommand[]): (() => void) | null =>
  commands.map((command) => offered.get(command)).find((act) => act !== undefined) ?? null;

/** What can be done about the run on screen. */
export function useRunCommands(): Offered {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
    () => NONE,
  );
}
