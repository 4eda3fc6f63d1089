"use client";

import { IconPlus, IconUser } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useStartRun } from "@/components/runs/start-run-dialog";
import { isHere, NAV_ITEMS } from "./nav-items";
import { UserMenu } from "./user-menu";
import { WaitingCount } from "./waiting-count";

/** The bottom bar of small screens. */
export function TabBar() {
  const pathname = usePathname();
  const startRun = useStartRun();
  return (
    <nav className="tabbar" aria-label="Main">
      {NAV_ITEMS.map((item) => (
        <Link key={item.href} href={item.href} aria-current={isHere(item, pathname) ? "page" : undefined}>
          <span className="tab-icon">
            <item.icon size={20} stroke={1.6} aria-hidden />
            {item.href === "/" && <WaitingCount className="tab-dot" />}
          </span>
          {item.word}
        </Link>
      ))}
      <button type="button" onClick={() => startRun.open()}>
        <IconPlus size={20} stroke={1.6} aria-hidden />
        Start
      </button>
      <UserMenu
        target={
          <button type="button">
            <IconUser size={20} stroke={1.6} aria-hidden />
            You
          </button>
        }
      />
    </nav>
  );
}
