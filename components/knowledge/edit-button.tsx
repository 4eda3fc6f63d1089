"use client";

import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { useWhyNotEdit } from "@/components/layout/use-me";

type Props = ButtonProps & {
  children: ReactNode;
  type?: "button" | "submit";
  /** Left out for the submit button of a form. */
  onClick?: () => void;
  "data-danger"?: boolean;
};

/** A button for those who may change knowledge. For others it is off, and says why. */
export function EditButton({ children, onClick, type = "button", ...props }: Props) {
  const whyNot = useWhyNotEdit();
  return (
    <Tooltip label={whyNot} disabled={!whyNot}>
      <Button
        {...props}
        type={whyNot ? "button" : type}
        onClick={() => !whyNot && onClick?.()}
        data-disabled={whyNot ? true : undefined}
        aria-disabled={whyNot ? true : undefined}
      >
        {children}
        {whyNot && <span className="sr">. {whyNot}</span>}
      </Button>
    </Tooltip>
  );
}
