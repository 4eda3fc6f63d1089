"use client";

import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

export const THEMES = [
  { value: "light", word: "Light theme", icon: IconSun },
  { value: "dark", word: "Dark theme", icon: IconMoon },
  { value: "auto", word: "Theme of the system", icon: IconDeviceDesktop },
] as const;

/** The three themes, as items of a menu. Rendered in an open menu only, so the choice is known by then. */
export function ThemeMenuItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return THEMES.map(({ value, word, icon: Glyph }) => (
    <Menu.Item
      key={value}
      role="menuitemradio"
      aria-checked={colorScheme === value}
      leftSection={<Glyph size={14} />}
      rightSection={colorScheme === value ? <IconCheck size={14} /> : undefined}
      onClick={() => setColorScheme(value)}
    >
      {word}
    </Menu.Item>
  ));
}
