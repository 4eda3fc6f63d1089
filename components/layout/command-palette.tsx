"use client";

import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { type Icon, IconHelp, IconLogout, IconPlayerPlay, IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { describeTeam } from "@/components/runs/describe-team";
import { useStartRun } from "@/components/runs/start-run-dialog";
import { useTRPC } from "@/components/trpc/client";
import { formatMoney } from "@/components/ui/format";
import { statusWord } from "@/components/ui/status-words";
import type { RunSummary } from "@/server/runs/schema";
import { openKeyboardSheet } from "./keyboard-sheet";
import { leave } from "./leave";
import { NAV_ITEMS } from "./nav-items";
import { THEMES } from "./theme-menu";
import { useWhyNotAct } from "./use-me";

type Action = { id: string; label: string; description?: string; icon: Icon; run: () => void };

const RUNS_SHOWN = 6;
const SEARCH_AFTER_MS = 150;

/** mod+K: pages, starting a run with a team, runs found by the server, theme, sign out. */
export function CommandPalette() {
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState(false);
  const { groups, isLoading } = usePaletteGroups(query.trim(), opened);
  const isEmpty = groups.every((group) => group.actions.length === 0);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOpened(true)}
      onSpotlightClose={() => setOpened(false)}
      shortcut="mod + K"
      tagsToIgnore={[]}
      scrollable
      maxHeight={440}
      size={600}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <Spotlight.Search
        placeholder="Search runs, or type what to do"
        aria-label="Search runs, or type what to do"
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {/* What arrives late would push what is under the pointer: nothing is listed before all of it is there. */}
        {groups.map(
          ({ title, actions }) =>
            actions.length > 0 &&
            !isLoading && (
              <Spotlight.ActionsGroup key={title} label={title}>
                {actions.map((action) => (
                  <Spotlight.Action
                    key={action.id}
                    label={action.label}
                    description={action.description}
                    leftSection={<action.icon size={16} stroke={1.6} aria-hidden />}
                    onClick={action.run}
                    highlightQuery
                  />
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
        {isLoading && <Spotlight.Empty>Loading</Spotlight.Empty>}
        {isEmpty && !isLoading && (
          <Spotlight.Empty>Nothing matches. Try a run's title, a team or an action.</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function usePaletteGroups(query: string, opened: boolean) {
  const trpc = useTRPC();
  const router = useRouter();
  const startRun = useStartRun();
  const whyNot = useWhyNotAct();
  const { setColorScheme } = useMantineColorScheme();
  const [search] = useDebouncedValue(query.slice(0, 200), SEARCH_AFTER_MS);
  const teams = useQuery(trpc.teams.list.queryOptions(undefined, { enabled: opened }));
  const runs = useQuery(
    trpc.runs.list.queryOptions(
      { status: "all", search, limit: RUNS_SHOWN },
      { enabled: opened, placeholderData: (previous) => previous },
    ),
  );

  const doing: Action[] = whyNot
    ? []
    : (teams.data ?? []).map((team) => ({
        id: `start ${team.id}`,
        label: `Start a run with ${team.name}…`,
        description: describeTeam(team),
        icon: IconPlus,
        run: () => startRun.open({ teamId: team.id }),
      }));
  const found: Action[] = (runs.data?.items ?? []).map((run) => ({
    id: run.id,
    label: run.title,
    description: describeRun(run),
    icon: IconPlayerPlay,
    run: () => router.push(`/runs/${run.id}`),
  }));
  const pages: Action[] = NAV_ITEMS.map((item) => ({
    id: item.href,
    label: item.word,
    icon: item.icon,
    run: () => router.push(item.href),
  }));
  const settings: Action[] = [
    ...THEMES.map((theme) => ({
      id: theme.value,
      label: theme.word,
      icon: theme.icon,
      run: () => setColorScheme(theme.value),
    })),
    { id: "keys", label: "Keyboard shortcuts", icon: IconHelp, run: openKeyboardSheet },
    { id: "sign-out", label: "Sign out", icon: IconLogout, run: leave },
  ];

  // Until the answer to these very words is there, of the runs shown before only those that match stay.
  const upToDate = search === query.slice(0, 200) && !runs.isPlaceholderData;
  const groups = [
    { title: "Do", actions: matching(doing, query) },
    { title: query ? "Runs" : "Recent runs", actions: upToDate ? found : matching(found, query) },
    { title: "Go to", actions: matching(pages, query) },
    { title: "You", actions: matching(settings, query) },
  ];
  return { groups, isLoading: teams.isLoading || runs.isLoading };
}

function matching(actions: Action[], query: string): Action[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter((action) => words.every((word) => action.label.toLowerCase().includes(word)));
}

function describeRun(run: RunSummary): string {
  const cost = run.costNanoUsd > 0 ? ` · ${formatMoney(run.costNanoUsd, 2)}` : "";
  return `${run.team.name} · ${statusWord(run.status, run.statusReason).toLowerCase()}${cost}`;
}
