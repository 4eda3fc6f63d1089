"use client";

import { Menu } from "@mantine/core";
import { IconDots, IconPlus } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useStartRun } from "@/components/runs/start-run-provider";
import { PageLink } from "@/components/ui/page-link";
import { isHere, NAV_ITEMS } from "./nav-items";
import { UserMenuItems } from "./user-menu";
import { WaitingCount } from "./waiting-count";

const primary = NAV_ITEMS.filter((item) => item.isPrimary);
const others = NAV_ITEMS.filter((item) => !item.isPrimary);

/** The bottom bar of small screens. */
export function TabBar() {
  const pathname = usePathname();
  const startRun = useStartRun();
  return (
    <nav className="tabbar" aria-label="Main">
      {primary.map((item) => (
        <PageLink key={item.href} href={item.href} aria-current={isHere(item, pathname) ? "page" : undefined}>
          <span className="tab-icon">
            <item.icon size={20} stroke={1.6} aria-hidden />
            {item.href === "/" && <WaitingCount className="tab-dot" of="waiting" />}
          </span>
          {item.word}
        </PageLink>
      ))}
      <Menu position="top-end" width={230}>
        <Menu.Target>
          <button type="button" aria-current={others.some((item) => isHere(item, pathname)) ? "page" : undefined}>
            <IconDots size={20} stroke={1.6} aria-hidden />
            More
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => startRun.open()}>
            Start a run…
          </Menu.Item>
          <Menu.Divider />
          {others.map((item) => (
            <Menu.Item
              key={item.href}
              component={Link}
              prefetch={false}
              href={item.href}
              leftSection={<item.icon size={16} />}
            >
              {item.word}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <UserMenuItems />
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
