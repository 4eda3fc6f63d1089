"use client";

import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  type Icon,
  IconBook2,
  IconGitBranch,
  IconHelp,
  IconLogout,
  IconMessage,
  IconMessages,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconRobot,
  IconUsersGroup,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { baseHref } from "@/components/knowledge/knowledge-links";
import { type RunCommand, useRunCommands } from "@/components/runs/run-commands";
import { describeTarget, targetHref, targetInput, targetKey } from "@/components/runs/run-targets";
import { useStartRun } from "@/components/runs/start-run-provider";
import { useControlEverything } from "@/components/runs/use-control-everything";
import { useTRPC } from "@/components/trpc/client";
import { formatMoney, formatPlural } from "@/components/ui/format";
import { statusWord } from "@/components/ui/status-words";
import type { RunSummary } from "@/server/runs/schema";
import { openKeyboardSheet } from "./keyboard-sheet";
import { leave } from "./leave";
import { NAV_ITEMS } from "./nav-items";
import { type Matchable, matching } from "./palette-matching";
import { THEMES } from "./theme-menu";
import { useWhyNotAct } from "./use-me";

export type PaletteAction = Matchable & { id: string; description?: string; icon: Icon; run: () => void };

const FOUND_SHOWN = 6;
/** Without a word to go by: enough to see what there is. */
const DOINGS_SHOWN = 4;
const SEARCH_AFTER_MS = 150;

/** Everything the palette offers for what is typed, by group. Runs and conversations are found by the server. */
export function usePaletteGroups(query: string, opened: boolean) {
  const trpc = useTRPC();
  const [search] = useDebouncedValue(query.slice(0, 200), SEARCH_AFTER_MS);
  const found = { enabled: opened, placeholderData: <T>(previous: T) => previous };
  const runs = useQuery(trpc.runs.list.queryOptions({ search, limit: FOUND_SHOWN }, found));
  const talks = useQuery(trpc.conversations.list.queryOptions({ search, limit: FOUND_SHOWN }, found));
  const router = useRouter();
  const things = useThings(opened);
  const doings = useDoings(opened);
  const settings = useSettings();

  const runActions: PaletteAction[] = (runs.data?.items ?? []).map((run) => ({
    id: run.id,
    label: run.title,
    description: describeRun(run),
    icon: IconPlayerPlay,
    run: () => router.push(`/runs/${run.id}`),
  }));
  const talkActions: PaletteAction[] = (talks.data?.items ?? []).map((talk) => ({
    id: talk.id,
    label: talk.title,
    description: `${talk.target.name} · ${formatPlural(talk.turns, "question")}`,
    icon: IconMessages,
    run: () => router.push(`/conversations/${talk.id}`),
  }));
  const pages: PaletteAction[] = NAV_ITEMS.map((item) => ({
    id: item.href,
    label: item.word,
    icon: item.icon,
    run: () => router.push(item.href),
  }));

  // Until the answer to these very words is there, of what was shown before only what matches stays.
  const upToDate = (list: { isPlaceholderData: boolean }) => search === query.slice(0, 200) && !list.isPlaceholderData;
  const doing = matching(doings.actions, query);
  const goTo = { title: "Go to", actions: matching(pages, query) };
  // Whoever writes out the name of a page wants that, however many runs have the word in what they answered.
  const isNamed = pages.some(({ label }) => label.toLowerCase() === query.trim().toLowerCase());
  const groups = [
    ...(isNamed ? [goTo] : []),
    { title: "Do", actions: query ? doing : doing.slice(0, DOINGS_SHOWN) },
    { title: query ? "Runs" : "Recent runs", actions: upToDate(runs) ? runActions : matching(runActions, query) },
    {
      title: query ? "Conversations" : "Recent conversations",
      actions: upToDate(talks) ? talkActions : matching(talkActions, query),
    },
    { title: "Teams, agents, knowledge", actions: query ? matching(things.actions, query) : [] },
    ...(isNamed ? [] : [goTo]),
    { title: "You", actions: matching(settings, query) },
  ];
  return { groups, isLoading: runs.isLoading || talks.isLoading || things.isLoading || doings.isLoading };
}

const RUN_COMMANDS: readonly { command: RunCommand; label: string; icon: Icon }[] = [
  { command: "pause", label: "Pause this run", icon: IconPlayerPause },
  { command: "resume", label: "Resume this run", icon: IconPlayerPlay },
  { command: "stop", label: "Stop this run…", icon: IconPlayerStop },
  { command: "retry", label: "Retry from this step…", icon: IconGitBranch },
  { command: "again", label: "Run this again…", icon: IconRefresh },
];

/** The run on screen, starting and asking, all runs at once. */
function useDoings(opened: boolean): { actions: PaletteAction[]; isLoading: boolean } {
  const trpc = useTRPC();
  const router = useRouter();
  const startRun = useStartRun();
  const commands = useRunCommands();
  const everything = useControlEverything();
  const whyNot = useWhyNotAct();
  const targets = useQuery(trpc.runs.targets.queryOptions(undefined, { enabled: opened }));
  const counts = useQuery(trpc.runs.summary.queryOptions(undefined, { enabled: opened }));
  if (whyNot) return { actions: [], isLoading: false };
  const here = RUN_COMMANDS.flatMap(({ command, label, icon }): PaletteAction[] => {
    const run = commands.get(command);
    return run ? [{ id: command, label, icon, run }] : [];
  });
  const ofAll = { id: "all", description: "All runs of this workspace" };
  const all: PaletteAction = counts.data?.paused
    ? { ...ofAll, label: "Resume everything", icon: IconPlayerPlay, run: () => everything.act("resumeAll") }
    : { ...ofAll, label: "Pause everything", icon: IconPlayerPause, run: () => everything.act("pauseAll") };
  const each = (targets.data ?? []).flatMap((target): PaletteAction[] => [
    {
      id: `start ${targetKey(target)}`,
      label: `Start a run of ${target.name}…`,
      description: describeTarget(target),
      icon: IconPlus,
      run: () => startRun.open({ target }),
    },
    {
      id: `ask ${targetKey(target)}`,
      label: `Ask ${target.name}`,
      description: "In a new conversation",
      icon: IconMessage,
      run: () => router.push(`/conversations/new?${new URLSearchParams(targetInput(target))}`),
    },
  ]);
  return { actions: [...here, ...each, all], isLoading: targets.isLoading || counts.isLoading };
}

/** Teams, agents and knowledge bases by name, published or not. */
function useThings(opened: boolean): { actions: PaletteAction[]; isLoading: boolean } {
  const trpc = useTRPC();
  const router = useRouter();
  const teams = useQuery(trpc.teams.names.queryOptions(undefined, { enabled: opened }));
  const agents = useQuery(trpc.agents.choices.queryOptions(undefined, { enabled: opened }));
  const bases = useQuery(trpc.knowledge.bases.queryOptions(undefined, { enabled: opened }));
  const open = (id: string, label: string, description: string, icon: Icon, href: string): PaletteAction => ({
    ...{ id, label, description, icon },
    run: () => router.push(href),
  });
  return {
    actions: [
      ...(teams.data ?? []).map((team) =>
        open(team.id, team.name, "Team", IconUsersGroup, targetHref({ kind: "team", id: team.id })),
      ),
      ...(agents.data ?? []).map((agent) =>
        open(agent.id, agent.name, "Agent", IconRobot, targetHref({ kind: "agent", id: agent.id })),
      ),
      ...(bases.data ?? []).map((base) => open(base.id, base.name, "Knowledge base", IconBook2, baseHref(base.id))),
    ],
    isLoading: teams.isLoading || agents.isLoading || bases.isLoading,
  };
}

function useSettings(): PaletteAction[] {
  const { setColorScheme } = useMantineColorScheme();
  return [
    ...THEMES.map((theme) => ({
      id: theme.value,
      label: theme.word,
      icon: theme.icon,
      run: () => setColorScheme(theme.value),
    })),
    { id: "keys", label: "Keyboard shortcuts", icon: IconHelp, run: openKeyboardSheet },
    { id: "sign-out", label: "Sign out", icon: IconLogout, run: leave },
  ];
}

function describeRun(run: RunSummary): string {
  const cost = run.costNanoUsd > 0 ? ` · ${formatMoney(run.costNanoUsd, 2)}` : "";
  return `${run.target.name} · ${statusWord(run.status, run.statusReason).toLowerCase()}${cost}`;
}
