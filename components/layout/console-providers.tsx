"use client";

import type { ReactNode } from "react";
import { LiveProvider } from "@/components/live/live-provider";
import { StartRunProvider } from "@/components/runs/start-run-provider";
import { CommandPalette } from "./command-palette";
import { ConsoleShell } from "./console-shell";
import { CrumbsProvider } from "./crumbs";
import { MemberGate } from "./member-gate";

/** What every console page stands on: one live connection, one start dialog, the frame and the palette. */
export function ConsoleProviders({ children }: { children: ReactNode }) {
  return (
    <MemberGate>
      <LiveProvider>
        <StartRunProvider>
          <CrumbsProvider>
            <ConsoleShell>{children}</ConsoleShell>
            <CommandPalette />
          </CrumbsProvider>
        </StartRunProvider>
      </LiveProvider>
    </MemberGate>
  );
}
