"use client";

import "@/components/editor/editor.css";
import { Button, Modal } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Note } from "@/components/ui/note";
import { reasonSentence } from "@/components/ui/status-words";
import { resumeProblems, usedWords } from "./resume-limits";
import type { RunState } from "./run-state";
import { SpendFields } from "./spend-fields";
import type { RunControl } from "./use-control-run";

type Props = { run: RunState["run"]; control: RunControl; onClose: () => void };

/** Asks under which limits a suspended run goes on. */
export function ResumeDialog({ run, control, onClose }: Props) {
  const { reserved, limits } = run;
  const spent = { costNanoUsd: run.costNanoUsd, tokens: run.inputTokens + run.outputTokens };
  const used = { costNanoUsd: spent.costNanoUsd + reserved.costNanoUsd, tokens: spent.tokens + reserved.tokens };
  const form = useForm({
    initialValues: { maxCostNanoUsd: limits.maxCostNanoUsd, maxTokens: limits.maxTokens },
    validate: (values) => resumeProblems(values, used),
  });
  return (
    <Modal opened onClose={onClose} title="Resume this run" size={480}>
      <form className="col" onSubmit={form.onSubmit((values) => control.resume(values, onClose))} noValidate>
        {control.refusal && (
          <Note tone="bad" role="alert">
            {control.refusal}
          </Note>
        )}
        <p className="t2">
          {run.statusReason && reasonSentence(run.statusReason)} It goes on after its last recorded step, until it would
          pass these limits. Limits of an agent and of a day stay as they are.
        </p>
        <SpendFields
          cost={{ name: "maxCostNanoUsd", input: form.getInputProps("maxCostNanoUsd") }}
          tokens={{ name: "maxTokens", input: form.getInputProps("maxTokens") }}
          autoFocus={limits.maxCostNanoUsd === null && limits.maxTokens !== null ? "tokens" : "cost"}
        />
        <p className="t2 fs12">{usedWords(spent, reserved)} An empty field means no limit.</p>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={control.isBusy}>
            Resume
          </Button>
        </div>
      </form>
    </Modal>
  );
}
