"use client";

import { PageError } from "@/components/layout/page-error";

export default function ConsoleErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError error={error} reset={reset} />;
}
