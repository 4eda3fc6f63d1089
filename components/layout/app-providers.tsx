"use client";

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import { type ReactNode, useState } from "react";
import { TrpcClient } from "@/components/trpc/client";
import { cssVariables, theme } from "@/components/ui/theme";
import { useEarlyPress } from "./use-early-press";

/** What every page needs, signed in or not. The theme holds functions, so it is given here and not in the layout. */
export function AppProviders({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // The document knows the nonce it came with; a layout that is loaded again brings another one.
  const [ownNonce] = useState(() => {
    // For the one style sheet Mantine leaves to others: what keeps the page still behind a dialog.
    if (nonce && typeof document !== "undefined") setNonce(nonce);
    return nonce;
  });
  useEarlyPress();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => ownNonce ?? ""}
    >
      <TrpcClient>{children}</TrpcClient>
      <Notifications position="bottom-right" />
    </MantineProvider>
  );
}
