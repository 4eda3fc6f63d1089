"use client";

import { Button, Menu } from "@mantine/core";
import { IconBraces, IconDownload, IconTable } from "@tabler/icons-react";

type Props = {
  /** Where the file of a format is. */
  href: (format: "csv" | "json") => string;
  /** What is in it, for its label: "the decisions of this filter". */
  what: string;
};

/** What a list shows, as a file. */
export function DownloadMenu({ href, what }: Props) {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button leftSection={<IconDownload size={15} aria-hidden />} aria-label={`Download ${what}`}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <DownloadItems href={href} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same as entries of a menu. */
export function DownloadItems({ href }: Pick<Props, "href">) {
  return (
    <>
      <Menu.Item component="a" href={href("csv")} download leftSection={<IconTable size={15} aria-hidden />}>
        Download as CSV
      </Menu.Item>
      <Menu.Item component="a" href={href("json")} download leftSection={<IconBraces size={15} aria-hidden />}>
        Download as JSON, a line each
      </Menu.Item>
    </>
  );
}
