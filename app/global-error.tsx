"use client";

import "@/components/ui/tokens.css";
import "@/components/ui/base.css";
import "@/components/ui/patterns.css";
import { useEarlyPress } from "@/components/layout/use-early-press";

/** The layout itself failed, so nothing of it can be used here: no theme, no providers. */
export default function GlobalErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEarlyPress();
  return (
    <html lang="en">
      <body>
        <main className="empty" role="alert">
          <title>Troupe could not start</title>
          <p className="b">Troupe could not be shown</p>
          <p className="t2 empty-text">Runs are not affected: they go on in the background. The server log says why.</p>
          <button type="button" className="linkbtn" onClick={reset}>
            Try again
          </button>
          {error.digest && <pre className="code error-detail">Error {error.digest}</pre>}
        </main>
      </body>
    </html>
  );
}
