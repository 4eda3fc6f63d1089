"use client";

import { Button, type ButtonProps } from "@mantine/core";
import Link from "next/link";

type Props = ButtonProps & { href: string; onClick?: () => void };

/** A link that looks like a button. Usable in server components, which cannot hand `component={Link}` over. */
export function LinkButton({ href, ...props }: Props) {
  return <Button component={Link} href={href} {...props} />;
}
