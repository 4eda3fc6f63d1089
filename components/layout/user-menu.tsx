"use client";

import { Menu } from "@mantine/core";
import { IconHelp, IconLogout, IconSelector } from "@tabler/icons-react";

import { openKeyboardSheet } from "./keyboard-sheet";
import { leave } from "./leave";
import { ThemeMenuItems } from "./theme-menu";
import { useMe } from "./use-me";

/** Theme, help, sign out: the inside of a menu. */
export function UserMenuItems() {
  const { user, role } = useMe();
  return (
    <>
      <Menu.Label>
        <span className="ell block">{user.email}</span>
        {role} of this workspace
      </Menu.Label>
      <Menu.Divider />
      <ThemeMenuItems />
      <Menu.Divider />
      <Menu.Item leftSection={<IconHelp size={14} />} onClick={openKeyboardSheet} className="hide-m">
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout size={14} />} onClick={leave}>
        Sign out
      </Menu.Item>
    </>
  );
}

export function UserButton() {
  const { user } = useMe();
  return (
    <Menu position="top-start" width={230}>
      <Menu.Target>
        <button type="button" className="user-btn grow">
          <span className="avatar" aria-hidden>
            {initials(user.name)}
          </span>
          <span className="grow ell">{user.name}</span>
          <IconSelector size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <UserMenuItems />
      </Menu.Dropdown>
    </Menu>
  );
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
