"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

type Props = Omit<ComponentProps<typeof Link>, "prefetch" | "onMouseEnter" | "onFocus" | "onTouchStart">;

/**
 * A link to a page that is prepared when the pointer or the keyboard reaches it. The frame has one to every page: were they prepared when
 * they are drawn, as usual, each page would wait for two requests to each of the others.
 */
export function PageLink(props: Props) {
  const [isNear, setNear] = useState(false);
  const near = () => setNear(true);
  return <Link {...props} prefetch={isNear ? null : false} onMouseEnter={near} onFocus={near} onTouchStart={near} />;
}
