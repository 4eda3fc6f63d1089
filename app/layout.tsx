import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "@fontsource-variable/geist/wght.css";
import "@fontsource-variable/geist-mono/wght.css";
import "@/components/ui/tokens.css";
import "@/components/ui/base.css";
import "@/components/ui/mantine.css";
import "@/components/ui/patterns.css";
import "@/components/layout/shell.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppProviders } from "@/components/layout/app-providers";
import { HOLD_EARLY_PRESS } from "@/components/layout/hold-early-press";

export const metadata: Metadata = {
  title: { default: "Troupe", template: "%s · Troupe" },
  description: "A self-hosted control room for teams of AI agents.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f5f3f5" },
    { media: "(prefers-color-scheme: dark)", color: "#121014" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Given by proxy.ts for this page alone, so that every page is drawn when it is asked for.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
        <script nonce={nonce}>{HOLD_EARLY_PRESS}</script>
      </head>
      <body>
        <AppProviders nonce={nonce}>{children}</AppProviders>
      </body>
    </html>
  );
}
