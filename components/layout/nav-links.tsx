"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { isHere, NAV_ITEMS } from "./nav-items";

/** How many requests wait for a person; shown at Home, where they are answered. */
export function useWaitingCount(): number {
  const trpc = useTRPC();
  return useQuery(trpc.runs.summary.queryOptions()).data?.waiting ?? 0;
}

export function NavLinks() {
  const pathname = usePathname();
  const waiting = useWaitingCount();
  return NAV_ITEMS.map((item) => (
    <Link
      key={item.href}
      href={item.href}
      className="nav-item"
      aria-current={isHere(item, pathname) ? "page" : undefined}
    >
      <item.icon size={16} stroke={1.6} aria-hidden />
      <span className="grow">{item.word}</span>
      {item.href === "/" && waiting > 0 && (
        <span className="nav-count">
          {waiting}
          <span className="sr"> waiting for an answer</span>
        </span>
      )}
    </Link>
  ));
}
