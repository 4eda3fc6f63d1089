"use client";

import { usePathname } from "next/navigation";
import { Fragment } from "react";
import { PageLink } from "@/components/ui/page-link";
import { isHere, NAV_ITEMS } from "./nav-items";
import { WaitingCount } from "./waiting-count";

export function NavLinks() {
  const pathname = usePathname();
  return NAV_ITEMS.map((item) => (
    <Fragment key={item.href}>
      {item.group && <span className="nav-group">{item.group}</span>}
      <PageLink
        href={item.href}
        className="nav-item"
        title={item.about}
        aria-current={isHere(item, pathname) ? "page" : undefined}
      >
        <item.icon size={16} stroke={1.6} aria-hidden />
        <span className="grow">{item.word}</span>
        {item.href === "/" && <WaitingCount className="nav-count" of="waiting" />}
        {item.href === "/dead-letters" && <WaitingCount className="nav-count" of="deadLetters" />}
      </PageLink>
    </Fragment>
  ));
}
