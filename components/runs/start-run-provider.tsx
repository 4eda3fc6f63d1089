"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { laterDialog } from "@/components/ui/later";
import type { TargetRef } from "./run-targets";
import type { Rerun } from "./start-run-draft";

// Loaded when it is first asked for: every page of the console could open it.
const StartRunDialog = laterDialog(() => import("./start-run-dialog").then((it) => it.StartRunDialog));

/** What the dialog opens with. */
export type StartRunPreset = { target?: TargetRef; input?: string; rerunOf?: Rerun };
const StartRunContext = createContext<{ open: (preset?: StartRunPreset) => void } | null>(null);

/** Opens the dialog from anywhere in the console, with a team or agent and a task filled in. */
export function useStartRun() {
  const context = useContext(StartRunContext);
  if (!context) throw new Error("useStartRun is used outside StartRunProvider");
  return context;
}

/** The dialog lives above the pages: what was typed into it is there on the next one. */
export function StartRunProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  /** Another object each time it is opened. */
  const [preset, setPreset] = useState<StartRunPreset | null>(null);
  const open = (preset: StartRunPreset = {}) => {
    setPreset({ ...preset });
    setOpened(true);
  };
  return (
    <StartRunContext value={{ open }}>
      {children}
      {preset && <StartRunDialog preset={preset} opened={opened} onClose={() => setOpened(false)} />}
    </StartRunContext>
  );
}
