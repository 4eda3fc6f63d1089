"use client";

import { Button } from "@mantine/core";
import { IconPlayerPlay, IconPlugConnected, IconUsersGroup } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { useMe, useWhyNotAct } from "@/components/layout/use-me";
import { describeTeam } from "@/components/runs/describe-team";
import { EverythingPaused } from "@/components/runs/everything-paused";
import { StartRunButton } from "@/components/runs/start-run-button";
import { useStartRunDraft } from "@/components/runs/start-run-draft";
import { useTRPC } from "@/components/trpc/client";
import { LinkButton } from "@/components/ui/link-button";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { StatusIcon } from "@/components/ui/status";

/** Home of a workspace in which nothing was ever run. It leads to the first run. */
export function FirstSteps() {
  return (
    <div className="page">
      <EverythingPaused />
      <div className="first">
        <h1>Nothing has run here yet</h1>
        <p className="t2">Start a team, then watch every agent, step and decision of it as it happens.</p>
        <FirstStepList />
      </div>
    </div>
  );
}

/** Beside examples, before anything of one's own has run. */
export function FirstStepsPanel() {
  return (
    <Panel title="First steps" className="span2 first-panel" flush>
      <FirstStepList />
    </Panel>
  );
}

function FirstStepList() {
  const { user, model } = useMe();
  return (
    <ol>
      <Step done title="Create the owner" icon={<StatusIcon status="completed" size={18} />}>
        You are signed in as {user.name}.
      </Step>
      <FirstRun />
      <Step
        done={!model.isRehearsal}
        title="Connect a model"
        icon={
          model.isRehearsal ? (
            <IconPlugConnected size={18} stroke={1.5} aria-hidden />
          ) : (
            <StatusIcon status="completed" size={18} />
          )
        }
      >
        {model.isRehearsal ? (
          <>
            Not needed to try it out: the rehearsal model answers by fixed rules, offline and free. For a language
            model, add a provider and its key under{" "}
            <Link href="/providers" className="linkbtn">
              Models
            </Link>
            .
          </>
        ) : (
          <>Answers come from {model.label}.</>
        )}
      </Step>
      <Step title="Make a team of your own" icon={<IconUsersGroup size={18} stroke={1.5} aria-hidden />}>
        Upload files under{" "}
        <Link href="/knowledge" className="linkbtn">
          Knowledge
        </Link>
        , let{" "}
        <Link href="/agents" className="linkbtn">
          agents
        </Link>{" "}
        search them, and put the agents under one that leads, as a{" "}
        <Link href="/teams" className="linkbtn">
          team
        </Link>
        .
      </Step>
    </ol>
  );
}

function FirstRun() {
  const trpc = useTRPC();
  const { data: teams } = useSuspenseQuery(trpc.teams.list.queryOptions());
  const draft = useStartRunDraft();
  const whyNot = useWhyNotAct();
  const team = teams.find((each) => each.example !== null);
  const example = team?.example;
  if (!team || !example) return <FirstOwnRun hasTeam={teams.length > 0} />;
  return (
    <Step
      next
      title={`Watch “${team.name}” work`}
      icon={<IconPlayerPlay size={18} stroke={1.5} aria-hidden />}
      action={
        <Button
          variant="filled"
          onClick={() => draft.start({ teamId: team.id, input: example })}
          loading={draft.isStarting}
          disabled={whyNot !== null}
        >
          Run the demo
        </Button>
      }
    >
      <p>{describeTeam(team)}.</p>
      <p>It is asked: “{example}”</p>
      {whyNot && <p className="t3">{whyNot}</p>}
      {draft.refusal && (
        <Note tone="bad" role="alert">
          {draft.refusal}
        </Note>
      )}
    </Step>
  );
}

/** Without a team that brings an example there is no demo; with any team there is a first run all the same. */
function FirstOwnRun({ hasTeam }: { hasTeam: boolean }) {
  return (
    <Step
      next
      title="Start a run"
      icon={<IconPlayerPlay size={18} stroke={1.5} aria-hidden />}
      action={hasTeam ? <StartRunButton /> : <LinkButton href="/agents/new">Make an agent</LinkButton>}
    >
      {hasTeam
        ? "Give one of your teams its first task."
        : "It needs a published agent or team, and this workspace has none yet."}
    </Step>
  );
}

type StepProps = {
  title: string;
  icon: ReactNode;
  done?: boolean;
  next?: boolean;
  action?: ReactNode;
  children: ReactNode;
};

function Step({ title, icon, done, next, action, children }: StepProps) {
  return (
    <li className={done ? "done" : next ? "next" : undefined}>
      <span className="step-icon">{icon}</span>
      <div className="grow">
        <span className="b">
          {title}
          {done && <span className="sr"> (done)</span>}
        </span>
        <div className="t2">{children}</div>
      </div>
      {action}
    </li>
  );
}
