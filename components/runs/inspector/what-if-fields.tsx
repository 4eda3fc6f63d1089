import { Checkbox, Select, Textarea, type TextareaProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ModelSelect } from "@/components/providers/model-select";
import { fieldOf, isChoosable, OWN_WORDS, type WhatIfDraft } from "@/components/runs/inspector/what-if-draft";
import { useTRPC } from "@/components/trpc/client";
import type { RequestView } from "@/server/engine/events";
import { mayWrite } from "@/server/requests/schema";
import type { StepDetail } from "@/server/runs/step-schema";

type Props = {
  draft: WhatIfDraft;
  change: (changed: Partial<WhatIfDraft>) => void;
  runId: string;
  was: StepDetail;
};

/** What is to be filled in for what is otherwise. */
export function WhatIfFields({ draft, change, runId, was }: Props) {
  switch (draft.kind) {
    case "reply":
      return <ChoiceFields draft={draft} change={change} runId={runId} was={was} />;
    case "answer":
      return was.humanRequest && <AnswerFields draft={draft} change={change} asked={was.humanRequest} />;
    case "result":
      return (
        <WordsField
          label="Result"
          description="What the agent reads in place of what came back"
          minRows={6}
          value={draft.result}
          onWords={(result) => change({ result })}
          data-autofocus
        />
      );
    case "instructions":
      return (
        <>
          <WordsField
            label="Instructions"
            description="The system message from this step on, for this agent run only"
            minRows={6}
            value={draft.instructions}
            onWords={(instructions) => change({ instructions })}
            data-autofocus
          />
          <WordsField
            label="Task"
            description="What it was asked to do"
            minRows={2}
            value={draft.task}
            onWords={(task) => change({ task })}
          />
        </>
      );
    case "model":
      return (
        <ModelSelect
          value={draft.model}
          onChange={(model) => change({ model })}
          nullLabel={false}
          description="Answers all agents of the new run, also those that name another"
        />
      );
    default:
      return draft.kind satisfies never;
  }
}

type AnswerProps = Pick<Props, "draft" | "change"> & { asked: RequestView };

/** Another answer to what a person was asked. */
function AnswerFields({ draft, change, asked }: AnswerProps) {
  const { options } = asked;
  const ownWords = mayWrite(asked);
  const chosen = options.find(({ value }) => value === draft.said);
  return (
    <>
      <p className="prewrap">{asked.prompt}</p>
      {asked.call && (
        <pre className="code">
          {asked.call.tool}({asked.call.arguments})
        </pre>
      )}
      {asked.answerKind === "several" ? (
        <Checkbox.Group label="Answer" value={draft.ticked} onChange={(ticked) => change({ ticked })}>
          <div className="col">
            {options.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </div>
        </Checkbox.Group>
      ) : (
        <Select
          label="Answer"
          description="As it was offered"
          placeholder="Choose one"
          data={[
            ...options.map(({ value, label }) => ({ value, label })),
            ...(ownWords ? [{ value: OWN_WORDS, label: "In other words" }] : []),
          ]}
          value={draft.said}
          onChange={(said) => change({ said })}
          openOnFocus={false}
          data-autofocus
        />
      )}
      {chosen?.description && <p className="t2 fs12">{chosen.description}</p>}
      {draft.said === OWN_WORDS && (
        <WordsField label="Words" minRows={2} value={draft.words} onWords={(words) => change({ words })} />
      )}
    </>
  );
}

/** One of the options as they were offered, and what it needs to be carried out. */
function ChoiceFields({ draft, change, runId, was }: Props) {
  const trpc = useTRPC();
  const { decisionId } = was;
  const decision = useQuery(
    trpc.runs.decision.queryOptions({ runId, decisionId: decisionId ?? "" }, { enabled: decisionId !== null }),
  );
  const options = (decision.data?.options ?? []).filter((option) => isChoosable(option, was));
  const chosen = options.find(({ key }) => key === draft.option);
  const field = chosen && fieldOf(chosen);
  return (
    <>
      <Select
        label="What it chooses"
        description="Options as they were offered in this step"
        placeholder="Choose one"
        data={options.map(({ key, label }) => ({ value: key, label }))}
        value={draft.option}
        onChange={(option) => change({ option })}
        searchable={options.length > 8}
        openOnFocus={false}
        data-autofocus
      />
      {chosen && <p className="t2 fs12">{chosen.description}</p>}
      {field === "prompt" && (
        <WordsField label="What it is told" minRows={4} value={draft.prompt} onWords={(prompt) => change({ prompt })} />
      )}
      {field === "args" && (
        <WordsField
          label="Arguments (JSON)"
          className="mono"
          minRows={4}
          value={draft.args}
          onWords={(args) => change({ args })}
        />
      )}
      {field === "answer" && (
        <WordsField label="Answer" minRows={4} value={draft.answer} onWords={(answer) => change({ answer })} />
      )}
    </>
  );
}

type WordsProps = Omit<TextareaProps, "onChange"> & { onWords: (words: string) => void };

/** What may be long: it grows with its words, to a height that leaves the rest of the dialog in sight. */
function WordsField({ onWords, ...props }: WordsProps) {
  return <Textarea autosize maxRows={16} {...props} onChange={(event) => onWords(event.currentTarget.value)} />;
}
