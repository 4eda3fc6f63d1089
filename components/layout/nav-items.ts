import { type Icon, IconHome, IconPlayerPlay } from "@tabler/icons-react";

export type NavItem = { href: string; word: string; icon: Icon };

/** Pages of the console, in the order of the sidebar and of the bottom bar. */
export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/", word: "Home", icon: IconHome },
  { href: "/runs", word: "Runs", icon: IconPlayerPlay },
];

export function isHere(item: NavItem, pathname: string): boolean {
  return item.href === "/" ? pathname === "/" : pathname === item.href || pathname.startsWith(`${item.href}/`);
}
