"use client";

import { redirect, usePathname, useSearchParams } from "next/navigation";

/**
 * Sends a visitor to the sign-in page and remembers where they were going. A layout does not know the address of the
 * page below it; a client component does, also when the server renders it first.
 */
export function RedirectToSignIn(): never {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  const next = query ? `${pathname}?${query}` : pathname;
  redirect(next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
}
