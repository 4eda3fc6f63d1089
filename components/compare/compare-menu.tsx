"use client";

import { Menu } from "@mantine/core";
import { IconGitCompare } from "@tabler/icons-react";
import Link from "next/link";
import type { RunTree } from "@/server/runs/schema";
import { compareHref } from "./compare-location";

type Props = { run: Pick<RunTree["run"], "id" | "forkOf" | "rerunOf"> };

/** With which other run this one may be set side by side. */
export function CompareMenu({ run }: Props) {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className="icon-btn" aria-label="Compare" title="Compare">
          <IconGitCompare size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <CompareItems run={run} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same as entries of a menu. The older run is A. */
export function CompareItems({ run: { id, forkOf, rerunOf } }: Props) {
  return (
    <>
      {forkOf && <CompareItem href={compareHref({ left: forkOf.id, right: id })}>Compare with its origin</CompareItem>}
      {rerunOf && (
        <CompareItem href={compareHref({ left: rerunOf.id, right: id })}>Compare with the run it repeats</CompareItem>
      )}
      <CompareItem href={compareHref({ left: id })}>Compare with…</CompareItem>
    </>
  );
}

function CompareItem({ href, children }: { href: string; children: string }) {
  return (
    <Menu.Item component={Link} href={href} prefetch={false} leftSection={<IconGitCompare size={15} aria-hidden />}>
      {children}
    </Menu.Item>
  );
}
