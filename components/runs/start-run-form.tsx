"use client";

import "./run-list.css";
import { Button, Select, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { jumpToField } from "@/components/editor/jump-to-field";
import { useWhyNotAct } from "@/components/layout/use-me";
import { ModelSelect } from "@/components/providers/model-select";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { later } from "@/components/ui/later";
import { LinkButton } from "@/components/ui/link-button";
import { Note } from "@/components/ui/note";
import { RUN_HINT } from "./ask-or-run";
import { toStartContext } from "./context-draft";
import { describeTarget, targetInput, targetKey, targetOptions } from "./run-targets";
import { StartContext } from "./start-context";
import { StartLimits } from "./start-limits";
import type { StartRunDraft } from "./start-run-draft";

/** Loaded when a run is repeated: the form is on every page. */
const RerunFields = later(() => import("./rerun-fields").then((it) => it.RerunFields));

type Props = {
  draft: StartRunDraft;
  autoFocus?: boolean;
  onCancel?: () => void;
  /** Offers a model for this run alone. */
  withModel?: boolean;
};

/**
 * Team or agent, task, model. The first team counts as chosen until the person picks another; its example is the
 * placeholder, and one click makes it the task.
 */
export function StartRunForm({ draft, autoFocus, onCancel, withModel = false }: Props) {
  const trpc = useTRPC();
  const { data: targets } = useSuspenseQuery(trpc.runs.targets.queryOptions());
  const whyNot = useWhyNotAct();
  const { form, refusal } = draft;
  const { rerunOf } = form.values;
  const chosen = targets.find((each) => targetKey(each) === form.values.target);
  // What was asked for by name is never replaced by something else.
  const isGone = form.values.target !== null && !chosen;
  const target = chosen ?? targets[0];
  if (!target)
    return (
      <EmptyState
        title="Nothing to run yet"
        action={
          <LinkButton href="/agents" onClick={onCancel}>
            Make an agent
          </LinkButton>
        }
      >
        A run needs a published team or agent. This workspace has none.
      </EmptyState>
    );

  const isSameTarget = rerunOf !== null && targetKey(rerunOf.target) === targetKey(target);
  const submit = form.onSubmit(
    ({ input, model, limits, version, askBeforeWrites, context: typed, contextOf }) => {
      const context = toStartContext(typed);
      const isAbout = context.variables.length + context.entities.length > 0;
      // What a repeated run was about is kept, unless it was shown here and taken away.
      const isTold = isAbout || (rerunOf !== null && contextOf === rerunOf.id);
      draft.start({
        ...targetInput(target),
        input,
        ...(model ? { model } : {}),
        ...(rerunOf ? { rerunOfId: rerunOf.id, askBeforeWrites } : {}),
        ...(isSameTarget && version !== null ? { version } : {}),
        ...(isTold ? { context } : {}),
        ...(limits.maxCostNanoUsd === null && limits.maxTokens === null ? {} : { limits }),
      });
    },
    // What is wrong may be folded away.
    (errors) => Object.keys(errors).some(jumpToField),
  );
  const { example } = target;
  return (
    <form className="col start-run" onSubmit={submit} noValidate>
      {refusal && (
        <Note tone="bad" role="alert">
          {refusal}
        </Note>
      )}
      {isGone && (
        <Note tone="warn">What you chose was deleted, or was never published. Choose what should run instead.</Note>
      )}
      {rerunOf && (
        <p className="t2 fs12">
          A new run from the beginning, with the same task unless you change it. Nothing of “{rerunOf.title}” is reused.
          {rerunOf.conversationId &&
            " It runs outside its conversation: without the earlier questions and attached files."}
        </p>
      )}
      <Select
        label="Team or agent"
        data={targetOptions(targets)}
        value={isGone ? null : targetKey(target)}
        placeholder="Choose"
        onChange={(value) => form.setFieldValue("target", value)}
        description={isGone ? undefined : describeTarget(target)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        allowDeselect={false}
        searchable={targets.length > 8}
      />
      {rerunOf && <RerunFields form={form} rerunOf={rerunOf} isSameTarget={isSameTarget} />}
      <Textarea
        label="What should it do?"
        placeholder={example ?? "A question or a task, in your words"}
        minRows={3}
        maxRows={12}
        data-autofocus={autoFocus || undefined}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => submit()]])}
        {...form.getInputProps("input")}
      />
      {withModel && (
        <ModelSelect
          label="Model for this run"
          value={form.values.model}
          onChange={(model) => form.setFieldValue("model", model)}
          description={modelWords(rerunOf?.model)}
        />
      )}
      <StartContext form={form} />
      <StartLimits form={form} kind={target.kind} />
      <div className="row start-run-actions">
        <div className="grow fs12 t3">
          {whyNot ? (
            whyNot
          ) : example && form.values.input === "" ? (
            <button type="button" className="linkbtn fs12" onClick={() => form.setFieldValue("input", example)}>
              Use the example
            </button>
          ) : (
            <span title={RUN_HINT}>
              One task on its own. To follow up on answers,{" "}
              <Link href={`/conversations/new?${new URLSearchParams(targetInput(target))}`} className="linkbtn fs12">
                ask in a conversation
              </Link>
              .
            </span>
          )}
        </div>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="filled" loading={draft.isStarting} disabled={whyNot !== null || isGone}>
          Start
        </Button>
      </div>
    </form>
  );
}

function modelWords(before: string | undefined): string {
  const rule = "Agents that name a model of their own keep it.";
  return before ? `The run before used ${before}. ${rule}` : rule;
}
