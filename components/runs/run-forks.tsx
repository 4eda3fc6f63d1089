"use client";

import { Menu } from "@mantine/core";
import { IconGitCompare } from "@tabler/icons-react";
import Link from "next/link";
import { Fragment } from "react";
import { compareHref } from "@/components/compare/compare-location";
import { textKey } from "@/components/runs/run-live-text";
import { writeRunLocation } from "@/components/runs/run-location";
import type { RunState } from "@/components/runs/run-state";
import { statusWord } from "@/components/ui/status-words";
import type { EDITS } from "@/server/engine/events";

const EDIT_WORDS: Record<(typeof EDITS)[number] | "none", string> = {
  none: "Retried from",
  reply: "What if, with another choice in",
  result: "What if, with another result of",
  instructions: "What if, with other instructions from",
  model: "What if, with another model from",
};

/** Where a run that was retried from a step comes from, and which runs were retried from steps of this one. */
export function RunForks({ run: { id: runId, isFork, forkOf, forks } }: { run: RunState["run"] }) {
  return (
    <>
      {isFork && !forkOf && <span className="ell t3">Retried from a run that was removed</span>}
      {forkOf && (
        <Link href={forkHref(forkOf)} className="ell t2" title={forkOf.title} prefetch={false}>
          {EDIT_WORDS[forkOf.edit ?? "none"]} step {forkOf.position} of {forkOf.agentName ?? "an agent"} in “
          {forkOf.title}”
        </Link>
      )}
      {forks.length > 0 && (
        <Menu position="bottom-start" width={280}>
          <Menu.Target>
            <button type="button" className="linkbtn">
              {forks.length === 1 ? "Retried once" : `Retried ${forks.length} times`}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {forks.map(({ id, status, position }) => (
              <Fragment key={id}>
                <Menu.Item component={Link} href={`/runs/${id}`} prefetch={false}>
                  From step {position}: {statusWord(status).toLowerCase()}
                </Menu.Item>
                <Menu.Item
                  component={Link}
                  href={compareHref({ left: runId, right: id })}
                  prefetch={false}
                  leftSection={<IconGitCompare size={15} aria-hidden />}
                >
                  Compare with it
                </Menu.Item>
              </Fragment>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

function forkHref({ id, agentRunId, position }: NonNullable<RunState["run"]["forkOf"]>): string {
  return `/runs/${id}${writeRunLocation("", { selected: textKey(agentRunId, position) })}`;
}
