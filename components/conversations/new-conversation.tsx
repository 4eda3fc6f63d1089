"use client";

import { TextInput } from "@mantine/core";
import { IconArrowLeft, IconMessages, IconRobot, IconSearch, IconUsersGroup } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { ASK_HINT } from "@/components/runs/ask-or-run";
import { describeTarget, targetInput, targetKey } from "@/components/runs/run-targets";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Note } from "@/components/ui/note";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { RunTarget } from "@/server/runs/schema";
import { FirstQuestion } from "./first-question";

const SEARCH_FROM = 9;

/** Whom to ask, then what. The choice lives in the address, so that other pages can link to it. */
export function NewConversation() {
  const pending = <SkeletonRows rows={4} columns={["1fr"]} rowHeight={72} label="Loading teams and agents" />;
  return (
    <LoadBoundary pending={pending} failed="The teams and agents could not be loaded">
      <Choose />
    </LoadBoundary>
  );
}

function Choose() {
  const trpc = useTRPC();
  const { data: targets } = useSuspenseQuery(trpc.runs.targets.queryOptions());
  const params = useSearchParams();
  const hydrated = useHydrated();
  const wanted = params.get("teamId") ?? params.get("agentId");
  const target = targets.find(({ id }) => id === wanted);
  // The draft of the first question is the browser's own.
  if (target) return hydrated ? <FirstQuestion key={targetKey(target)} target={target} /> : null;
  return <Targets targets={targets} isGone={wanted !== null} />;
}

function Targets({ targets, isGone }: { targets: readonly RunTarget[]; isGone: boolean }) {
  const whyNot = useWhyNotAct();
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = targets.filter(({ name, purpose }) =>
    words.every((word) => `${name} ${purpose}`.toLowerCase().includes(word)),
  );
  if (whyNot) {
    return (
      <EmptyState
        icon={IconMessages}
        title="Choose a conversation to read"
        action={<LinkButton href="/conversations">All conversations</LinkButton>}
      >
        {whyNot}
      </EmptyState>
    );
  }
  if (targets.length === 0) {
    return (
      <EmptyState
        icon={IconUsersGroup}
        title="Nobody to ask yet"
        action={<LinkButton href="/agents">Make an agent</LinkButton>}
      >
        A conversation needs a published team or agent. This workspace has none.
      </EmptyState>
    );
  }
  return (
    <div className="talk-scroll scroll">
      <div className="choose">
        <header className="row">
          <Link href="/conversations" className="icon-btn only-m" aria-label="All conversations">
            <IconArrowLeft size={18} aria-hidden />
          </Link>
          <h2 className="talk-title">Whom do you want to ask?</h2>
        </header>
        <p className="t2 fs12 choose-hint">
          {ASK_HINT} For a single task, start a run instead: on Home, under Runs, or on the page of the team or agent.
        </p>
        {isGone && <Note tone="warn">Whom you wanted to ask was deleted, or was never published. Choose another.</Note>}
        {targets.length >= SEARCH_FROM && (
          <TextInput
            aria-label="Search teams and agents"
            placeholder="Search teams and agents"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <ul className="choices">
          {found.map((target) => (
            <li key={targetKey(target)}>
              <Choice target={target} />
            </li>
          ))}
        </ul>
        {found.length === 0 && <p className="t2">Nobody of that name.</p>}
      </div>
    </div>
  );
}

function Choice({ target }: { target: RunTarget }) {
  const Glyph = target.kind === "team" ? IconUsersGroup : IconRobot;
  const query = new URLSearchParams(targetInput(target));
  return (
    <Link href={`/conversations/new?${query}`} className="choice" prefetch={false}>
      <Glyph size={18} stroke={1.6} aria-hidden />
      <span className="grow">
        <span className="b block ell">{target.name}</span>
        <span className="t2 fs12 choice-words">{target.purpose || describeTarget(target)}</span>
        {target.kind === "team" && target.purpose && (
          <span className="t3 fs12 block ell">{describeTarget(target)}</span>
        )}
      </span>
      <span className="tag">{target.kind === "team" ? "Team" : "Agent"}</span>
    </Link>
  );
}
