"use client";

import { refusalCodeOf } from "@/components/trpc/refusals";
import { ErrorState } from "@/components/ui/error-state";
import { LinkButton } from "@/components/ui/link-button";
import { NotAMember } from "./not-a-member";

type Props = { error: Error & { digest?: string }; reset: () => void };

/** A page that could not be drawn. Runs are not touched by it: they go on in the workers. */
export function PageError({ error, reset }: Props) {
  if (refusalCodeOf(error) === "NOT_ALLOWED") return <NotAMember />;
  // In production the message is only a number under which the server logged the error.
  const detail = error.digest ? `Error ${error.digest}` : error.message;
  return (
    <div className="col page-error">
      <ErrorState title="This page could not be shown" detail={detail} onRetry={reset}>
        Runs are not affected: they go on in the background. Try again; if it stays, the server log says why.
      </ErrorState>
      <LinkButton href="/" variant="subtle">
        Go to Home
      </LinkButton>
    </div>
  );
}
