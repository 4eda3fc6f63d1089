"use client";

import { Menu } from "@mantine/core";
import { IconGitCompare, IconGitFork } from "@tabler/icons-react";
import Link from "next/link";
import { Fragment } from "react";
import { compareHref } from "@/components/compare/compare-location";
import { textKey } from "@/components/runs/run-live-text";
import { writeRunLocation } from "@/components/runs/run-location";
import type { RunState } from "@/components/runs/run-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { statusWord } from "@/components/ui/status-words";
import type { EDITS } from "@/server/engine/events";
import type { RunStatus } from "@/server/engine/state";

type Edit = (typeof EDITS)[number] | "none";
const EDIT_WORDS: Record<Edit, string> = {
  none: "Retried from",
  reply: "What if, with another choice in",
  result: "What if, with another result of",
  answer: "What if, with another answer in",
  instructions: "What if, with other instructions from",
  model: "What if, with another model from",
};
/** The same where a list already says that they were retried. */
const SHORT_EDIT_WORDS: Record<Edit, string> = {
  none: "From",
  reply: "Another choice in",
  result: "Another result of",
  answer: "Another answer in",
  instructions: "Other instructions from",
  model: "Another model from",
};

/** Where a run that was retried from a step, or repeats another, comes from; and which runs come from this one. */
export function RunForks({ run }: { run: RunState["run"] }) {
  const { id: runId, isFork, forkOf, forks, rerunOf, reruns } = run;
  return (
    <>
      {rerunOf && (
        <Link href={`/runs/${rerunOf.id}`} className="ell t2" title={rerunOf.title} prefetch={false}>
          {rerunWords(run.target, rerunOf)}
        </Link>
      )}
      {isFork && !forkOf && <span className="ell t3">Retried from a run that was removed</span>}
      {forkOf && (
        <Link href={forkHref(forkOf)} className="ell t2" title={forkOf.title} prefetch={false}>
          {forkWords(forkOf)} in “{forkOf.title}”
        </Link>
      )}
      <Descendants
        runId={runId}
        words={forksWords(forks)}
        runs={forks.map(({ id, status, createdAt, agentRunId, position, ...what }) => ({
          ...{ id, word: forkWords(what, SHORT_EDIT_WORDS), status, createdAt },
          stepHref: forkHref({ id: runId, agentRunId, position }),
        }))}
      />
      <Descendants
        runId={runId}
        words={timesWords("Run again", reruns.length)}
        runs={reruns.map(({ target, ...rerun }) => ({ ...rerun, word: target, stepHref: null }))}
      />
    </>
  );
}

type DescendantsProps = {
  runId: string;
  /** What was done, and how often: "Retried once". */
  words: string;
  /** `stepHref`: the step of this run that it comes from. */
  runs: readonly { id: string; word: string; status: RunStatus; createdAt: string; stepHref: string | null }[];
};

/** Runs that come from this one, each to open and to compare with. */
function Descendants({ runId, words, runs }: DescendantsProps) {
  if (runs.length === 0) return null;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <button type="button" className="linkbtn">
          {words}
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
        {runs.map(({ id, status, createdAt, word: what, stepHref }) => (
          <Fragment key={id}>
            <Menu.Item component={Link} href={`/runs/${id}`} prefetch={false}>
              {what}
              <span className="t3 fs12 block">
                {statusWord(status)} · <RelativeTime at={createdAt} />
              </span>
            </Menu.Item>
            {stepHref && (
              <Menu.Item
                component={Link}
                href={stepHref}
                prefetch={false}
                leftSection={<IconGitFork size={15} aria-hidden />}
              >
                Show that step
              </Menu.Item>
            )}
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
  );
}

const timesWords = (word: string, times: number) => (times === 1 ? `${word} once` : `${word} ${times} times`);

/** "Retried 2 times"; with a what-if among them that would not be true of all. */
function forksWords(forks: RunState["run"]["forks"]): string {
  if (forks.every(({ edit }) => edit === null)) return timesWords("Retried", forks.length);
  return forks.length === 1 ? "1 run from a step" : `${forks.length} runs from its steps`;
}

/** "Run again of “Refunds”, on v3 instead of v2". */
export function rerunWords(
  target: RunState["run"]["target"],
  { title, target: was }: NonNullable<RunState["run"]["rerunOf"]>,
): string {
  const words = `Run again of “${title}”`;
  if (was.id !== target.id) return `${words}, by ${target.name} instead of ${was.name}`;
  return was.version === target.version ? words : `${words}, on v${target.version} instead of v${was.version}`;
}

type ForkOf = NonNullable<RunState["run"]["forkOf"]>;

/** "Retried from a step of Librarian". */
export function forkWords({ edit, agentName }: Pick<ForkOf, "edit" | "agentName">, words = EDIT_WORDS): string {
  return `${words[edit ?? "none"]} a step of ${agentName ?? "an agent"}`;
}

/** The step in the run that another comes from. */
export function forkHref({ id, agentRunId, position }: Pick<ForkOf, "id" | "agentRunId" | "position">): string {
  return `/runs/${id}${writeRunLocation("", { selected: textKey(agentRunId, position) })}`;
}
