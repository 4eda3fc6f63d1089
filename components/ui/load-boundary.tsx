"use client";

import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { Component, type ReactNode, Suspense } from "react";
import { ErrorState } from "./error-state";
import { errorWords } from "./error-words";

type Props = {
  /** Shown while the part loads: its shape, without its content. */
  pending: ReactNode;
  /** What failed, when it does: "The runs could not be loaded". Null for something the page does without. */
  failed: string | null;
  /** What the failure does not affect, after the server's own sentence. */
  reassurance?: string;
  children: ReactNode;
};

/** A part of a page that loads, and may fail, by itself. Its children read with `useSuspenseQuery`. */
export function LoadBoundary({ pending, failed, reassurance, children }: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Catch
          onRetry={reset}
          show={(error, retry) =>
            failed && (
              <ErrorState title={failed} onRetry={retry}>
                {errorWords(error).sentence} {reassurance}
              </ErrorState>
            )
          }
        >
          <Suspense fallback={pending}>{children}</Suspense>
        </Catch>
      )}
    </QueryErrorResetBoundary>
  );
}

type CatchProps = {
  onRetry: () => void;
  show: (error: unknown, retry: () => void) => ReactNode;
  children: ReactNode;
};

class Catch extends Component<CatchProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => {
    this.props.onRetry();
    this.setState({ error: null });
  };

  override render() {
    return this.state.error === null ? this.props.children : this.props.show(this.state.error, this.retry);
  }
}
