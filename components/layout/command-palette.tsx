"use client";

import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { usePaletteGroups } from "./use-palette-groups";

/** mod+K: do something, open something by its name, go to a page, change the theme, sign out. */
export function CommandPalette() {
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState(false);
  /** Somebody typed faster than the list came: its first entry is meant. */
  const isMeant = useRef(false);
  const change = (next: string) => {
    isMeant.current = false;
    setQuery(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !query.trim()) return;
    if (!document.querySelector(`${ACTION}[data-selected]`)) isMeant.current = !takeFirst();
  };
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={change}
      onSpotlightOpen={() => setOpened(true)}
      onSpotlightClose={() => {
        isMeant.current = false;
        setOpened(false);
      }}
      shortcut="mod + K"
      tagsToIgnore={[]}
      scrollable
      maxHeight={440}
      size={600}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
    >
      <Spotlight.Search
        placeholder="Search, or type what to do"
        aria-label="Search, or type what to do"
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      <PaletteActions query={query.trim()} opened={opened} isMeant={isMeant} />
    </Spotlight.Root>
  );
}

const ACTION = ".mantine-Spotlight-action";

/** False when nothing is listed yet. */
function takeFirst(): boolean {
  const first = document.querySelector<HTMLElement>(ACTION);
  first?.click();
  return first !== null;
}

/**
 * Mounted with the open palette only: what it would ask for is what pages prefetch, and a query that is merely known
 * keeps a page's own answer from being taken over.
 */
function PaletteActions({ query, opened, isMeant }: { query: string; opened: boolean; isMeant: RefObject<boolean> }) {
  const { groups, isLoading } = usePaletteGroups(query, opened);
  useEffect(() => {
    if (!isLoading && isMeant.current) isMeant.current = !takeFirst();
  }, [isLoading, isMeant]);
  const isEmpty = groups.every((group) => group.actions.length === 0);
  return (
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
        <Spotlight.Empty>Nothing matches. Try a title, the name of a team or agent, or an action.</Spotlight.Empty>
      )}
    </Spotlight.ActionsList>
  );
}
