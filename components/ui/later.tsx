"use client";

import { Modal } from "@mantine/core";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { ErrorState } from "./error-state";
import { onTryAgain } from "./try-again";

type Load<Props> = () => Promise<ComponentType<Props>>;

type Otherwise<Props> = {
  /** Shown while it is fetched: its shape. */
  pending?: ReactNode;
  /** Where to say that it could not be fetched; left out: in its place. */
  failed?: (words: ReactNode, props: Props) => ReactNode;
};

/**
 * A part of a page whose script is fetched when it is first shown. Where that fails the part alone is missing: it says so, and is asked for
 * again by whoever reads it, or once the server is back. With next/dynamic the whole page would be gone, and the part until it is reloaded.
 */
export function later<Props extends object>(
  load: Load<Props>,
  { pending = null, failed = (words) => words }: Otherwise<Props> = {},
): ComponentType<Props> {
  // Once it is there, it is there at once wherever else it is shown.
  let fetched: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => fetched);
    const [attempt, setAttempt] = useState(1);
    const [failedAttempt, setFailedAttempt] = useState(0);
    const again = () => setAttempt((count) => count + 1);
    useEffect(() => {
      if (Part) return;
      let isGone = false;
      load().then(
        (part) => {
          fetched = part;
          if (!isGone) setPart(() => part);
        },
        () => {
          if (!isGone) setFailedAttempt(attempt);
        },
      );
      return () => {
        isGone = true;
      };
    }, [Part, attempt]);
    const hasFailed = failedAttempt > 0 && !Part;
    useEffect(() => (hasFailed ? onTryAgain(() => setAttempt((count) => count + 1)) : undefined), [hasFailed]);
    if (Part) return <Part {...props} />;
    if (!hasFailed) return pending;
    return failed(<NotFetched onRetry={again} retrying={failedAttempt < attempt} />, props);
  };
}

/** A dialog that is fetched when it is first opened. */
export function laterDialog<Props extends { onClose: () => void; opened?: boolean }>(
  load: Load<Props>,
): ComponentType<Props> {
  return later(load, {
    failed: (words, { onClose, opened = true }) => (
      <Modal opened={opened} onClose={onClose} title="This cannot be opened now" size={440}>
        {words}
      </Modal>
    ),
  });
}

function NotFetched(props: { onRetry: () => void; retrying: boolean }) {
  return (
    <ErrorState title="It could not be fetched from the server" {...props}>
      Check that you are connected. If that does not help, reload the page: Troupe may have been updated.
    </ErrorState>
  );
}
