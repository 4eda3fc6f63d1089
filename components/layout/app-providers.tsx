"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { TrpcClient } from "@/components/trpc/client";
import { cssVariables, theme } from "@/components/ui/theme";

/** What every page needs, signed in or not. The theme holds functions, so it is given here and not in the layout. */
export function AppProviders({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <TrpcClient>{children}</TrpcClient>
      <Notifications position="bottom-right" />
    </MantineProvider>
  );
}
