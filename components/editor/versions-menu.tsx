"use client";

import { Button, Menu } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { RelativeTime } from "@/components/ui/relative-time";

export type VersionLine = { number: number; note: string; publishedAt: string; publishedBy: string | null };

/** Published versions, newest first. Choosing one shows it. */
export function VersionsMenu({
  versions,
  onView,
}: {
  versions: readonly VersionLine[];
  onView: (number: number) => void;
}) {
  const newest = versions[0];
  if (!newest) return null;
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="subtle" leftSection={<IconHistory size={15} aria-hidden />}>
          v{newest.number} is live
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflow: "auto" }}>
        <Menu.Label>Versions</Menu.Label>
        {versions.map(({ number, note, publishedAt, publishedBy }) => (
          <Menu.Item
            key={number}
            onClick={() => onView(number)}
            rightSection={number === newest.number ? <span className="t3 fs12">live</span> : undefined}
          >
            v{number}
            {note && `, ${note}`}
            <span className="menu-two-lines">
              {publishedBy && `${publishedBy}, `}
              <RelativeTime at={publishedAt} />
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
