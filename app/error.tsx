"use client";

import { PageError } from "@/components/layout/page-error";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="full-page">
      <PageError error={error} reset={reset} />
    </main>
  );
}
