"use client";

import { Button } from "@mantine/core";
import { IconPlayerPlay, IconPlugConnected } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useMe, useWhyNotAct } from "@/components/layout/use-me";
import { describeTeam } from "@/components/runs/start-run-fields";
import { useStartRunForm } from "@/components/runs/start-run-form";
import { Note } from "@/components/ui/note";
import { StatusIcon } from "@/components/ui/status";

/** Home of a workspace in which nothing was ever run. It leads to the first run. */
export function FirstSteps() {
  const { user, model } = useMe();
  return (
    <div className="page">
      <div className="first">
        <h1>Nothing has run here yet</h1>
        <p className="t2">Start a team, then watch every agent, step and decision of it as it happens.</p>
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
                model set <code className="mono">MODEL_BASE_URL</code>, <code className="mono">MODEL_NAME</code> and{" "}
                <code className="mono">MODEL_API_KEY</code> to any OpenAI-compatible address and start again.
              </>
            ) : (
              <>Answers come from {model.label}.</>
            )}
          </Step>
        </ol>
      </div>
    </div>
  );
}

function FirstRun() {
  const draft = useStartRunForm();
  const whyNot = useWhyNotAct();
  const { team, teams, refusal } = draft;
  const example = team?.example ?? null;
  return (
    <Step
      next
      title={team ? `Watch “${team.name}” work` : "Watch a team work"}
      icon={<IconPlayerPlay size={18} stroke={1.5} aria-hidden />}
      action={
        <Button
          variant="filled"
          onClick={() => example && draft.begin(example)}
          loading={draft.isStarting || teams.isPending}
          disabled={whyNot !== null || !team || !example}
        >
          Run the demo
        </Button>
      }
    >
      {team && <span className="block">{describeTeam(team)}.</span>}
      {example && <span className="block">It is asked: “{example}”</span>}
      {teams.isError && <span className="block">The teams could not be loaded. Reload the page.</span>}
      {teams.data?.length === 0 && <span className="block">This workspace has no team yet.</span>}
      {whyNot && <span className="block t3">{whyNot}</span>}
      {refusal && (
        <Note tone="bad" role="alert">
          {refusal}
        </Note>
      )}
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
