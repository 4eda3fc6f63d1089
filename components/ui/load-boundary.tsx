"use client";

import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { Component, type ReactNode, Suspense } from "react";
import { ErrorState } from "./error-state";
import { errorWords, isMissing } from "./error-words";
import { onTryAgain } from "./try-again";

type Props = {
  /** Shown while the part loads: its shape, without its content. */
  pending: ReactNode;
  /** What failed, when it does: "The runs could not be loaded". Null for something the page does without. */
  failed: string | null;
  /** Shown instead when there is no such thing: where else to go. */
  missing?: ReactNode;
  /** What the failure does not affect, after the server's own sentence. */
  reassurance?: string;
  /** Another way than trying again. */
  otherwise?: ReactNode;
  /** What is asked for, in a word or an address: when that is something else, a failure is forgotten. */
  asked?: string;
  children: ReactNode;
};

/** A part of a page that loads, and may fail, by itself. Its children read with `useSuspenseQuery`. */
export function LoadBoundary({ pending, failed, missing, reassurance, otherwise, asked = "", children }: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Catch
          onRetry={reset}
          asked={asked}
          show={(error, retry) => {
            if (missing && isMissing(error)) return missing;
            return (
              failed && (
                <ErrorState title={failed} onRetry={retry} action={otherwise}>
                  {errorWords(error).sentence} {reassurance}
                </ErrorState>
              )
            );
          }}
        >
          <Suspense fallback={pending}>{children}</Suspense>
        </Catch>
      )}
    </QueryErrorResetBoundary>
  );
}

type CatchProps = {
  onRetry: () => void;
  asked: string;
  show: (error: unknown, retry: () => void) => ReactNode;
  children: ReactNode;
};

class Catch extends Component<CatchProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  #forget = () => {};
  #hasAskedItself = false;

  override componentDidMount() {
    this.#forget = onTryAgain(() => this.state.error !== null && this.retry());
  }

  /**
   * What the server met while it prepared the page arrives without its words, and looks as if it had not answered: asked
   * once more from here, it says what is wrong.
   */
  override componentDidCatch(error: unknown) {
    if (this.#hasAskedItself || errorWords(error).answered) return;
    this.#hasAskedItself = true;
    this.retry();
  }

  override componentWillUnmount() {
    this.#forget();
  }

  override componentDidUpdate({ asked }: CatchProps) {
    if (this.state.error !== null && asked !== this.props.asked) this.setState({ error: null });
  }

  retry = () => {
    this.props.onRetry();
    this.setState({ error: null });
  };

  override render() {
    return this.state.error === null ? this.props.children : this.props.show(this.state.error, this.retry);
  }
}
