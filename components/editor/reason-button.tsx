"use client";

import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import { type ReactNode, useId } from "react";

type Props = ButtonProps & {
  onClick: () => void;
  whyNot: string | null;
  /** What it does, while it is on and its word alone does not say it. */
  hint?: string;
  children: ReactNode;
};

/** A button that says why it is off: on hover, on focus and to screen readers. It keeps the focus, so it can say it. */
export function ReasonButton({ whyNot, hint, onClick, children, ...props }: Props) {
  const hintId = useId();
  return (
    <>
      <Tooltip
        label={whyNot ?? hint}
        disabled={!whyNot && !hint}
        multiline
        maw={280}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button
          {...props}
          onClick={() => !whyNot && onClick()}
          data-disabled={whyNot ? true : undefined}
          aria-disabled={whyNot ? true : undefined}
          aria-describedby={hint && !whyNot ? hintId : undefined}
        >
          {children}
          {whyNot && <span className="sr">. {whyNot}</span>}
        </Button>
      </Tooltip>
      {hint && (
        <span id={hintId} hidden>
          {hint}
        </span>
      )}
    </>
  );
}
