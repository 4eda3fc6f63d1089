"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

type Props = {
  /** What failed: "The runs could not be loaded". */
  title: string;
  /** What it did (or did not do) to the run, and what the reader can do. */
  children?: ReactNode;
  /** The raw message, shown below in mono. */
  detail?: string | null;
  onRetry?: () => void;
  retrying?: boolean;
  /** Another way, beside trying again. */
  action?: ReactNode;
};

/** Something failed: what, what it means, what to do; the raw text last. */
export function ErrorState({ title, children, detail, onRetry, retrying, action }: Props) {
  return (
    <div className="empty" role="alert">
      <IconAlertTriangle className="empty-icon bad" size={24} stroke={1.5} aria-hidden />
      <p className="b">{title}</p>
      {children && <p className="t2 empty-text">{children}</p>}
      {(onRetry || action) && (
        <div className="row">
          {onRetry && (
            <Button onClick={onRetry} loading={retrying}>
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
      {detail && (
        <div className="row error-detail">
          <pre className="code grow">{detail}</pre>
          <CopyButton text={detail} what="the error" />
        </div>
      )}
    </div>
  );
}
