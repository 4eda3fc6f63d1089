"use client";

import { Button, Checkbox, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { SecretFields } from "@/components/ui/secret-fields";
import type { TraceSinkView } from "@/server/tracing/schema";
import { TestResult } from "./test-result";
import { TraceState } from "./trace-state";
import { inputOf, toFormFields, unsavedWords, valuesOf } from "./trace-values";
import { useWhyNotOwn } from "./use-why-not-own";

const HEADER_WORDS = {
  title: "Headers",
  about:
    "Sent with every request, e.g. Authorization with the value Bearer … Values are stored encrypted and never shown.",
  name: "Header name",
  add: "Add header",
};

/** Where the traces of this workspace's runs are sent, and how that goes. */
export function TracePart() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.tracing.get.queryOptions());
  const whyNot = useWhyNotOwn();
  const { sink } = data;
  // Whoever edits keeps what was typed; whoever only looks sees what was saved last.
  const key =
    whyNot === null ? "own" : JSON.stringify([sink?.url, sink?.enabled, sink?.withContent, sink?.headerNames]);
  return (
    <section className="tracing-part" aria-labelledby="tracing-traces">
      <div className="tracing-part-head">
        <h2 id="tracing-traces">Send traces</h2>
        <TraceState sink={sink} />
      </div>
      <p className="t2 tracing-about">
        When an agent run has ended, its spans are sent to a receiver of OpenTelemetry (OTLP over HTTP) of yours: one
        trace a run, named by the GenAI conventions. Runs never wait for it. What it cannot take is kept and sent later,
        for a week.
      </p>
      <TraceForm key={key} sink={sink} whyNot={whyNot} />
    </section>
  );
}

function TraceForm({ sink, whyNot }: { sink: TraceSinkView | null; whyNot: string | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  // Nobody who only looks can save what a new form begins with.
  const isBlank = sink === null && whyNot !== null;
  const form = useForm({ initialValues: { ...valuesOf(sink), ...(isBlank ? { enabled: false } : {}) } });
  const test = useMutation(
    trpc.tracing.test.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.tracing.get.pathKey() }),
    }),
  );
  /** What is shown from now on, and what the form begins with again. */
  const show = (saved: { sink: TraceSinkView | null }) => {
    queryClient.setQueryData(trpc.tracing.get.queryKey(), saved);
    const values = valuesOf(saved.sink);
    form.setInitialValues(values);
    form.setValues(values);
    form.clearErrors();
    test.reset();
  };
  const save = useMutation(
    trpc.tracing.save.mutationOptions({
      onSuccess: (saved) => {
        show(saved);
        const words = saved.sink?.enabled ? "Saved. Runs that end from now on are sent." : "Saved. Nothing is sent.";
        notifications.show({ message: words });
      },
      onError: (error) => form.setErrors(toFormFields(fieldErrorsOf(error), form.values)),
    }),
  );
  const remove = useMutation(
    trpc.tracing.remove.mutationOptions({
      onSuccess: (saved) => {
        show(saved);
        notifications.show({ message: "Removed. Address and headers are forgotten; nothing is sent." });
      },
    }),
  );
  const failure = save.error ?? remove.error ?? test.error;
  const unsaved = unsavedWords(form.values.enabled, sink);
  const isSaved = sink !== null && !form.isDirty();
  return (
    <form
      className="tracing-form"
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!save.isPending) save.mutate(inputOf(values));
      })}
    >
      {failure && Object.keys(fieldErrorsOf(failure)).length === 0 && (
        <Note tone="bad" role="alert">
          {errorWords(failure).sentence}
        </Note>
      )}
      <TextInput
        label="Address"
        description="Of the receiver, with its path, which is usually /v1/traces. Put keys into headers: everybody here can see the address."
        placeholder="https://otel.example.com/v1/traces"
        inputMode="url"
        spellCheck={false}
        disabled={whyNot !== null}
        {...form.getInputProps("endpoint")}
      />
      <Checkbox
        label="Allow this host on a private network"
        description="Calls to this machine and to private networks are refused until an owner allows the host and port. Only tick this for a server you know."
        disabled={whyNot !== null}
        {...form.getInputProps("allowPrivateHost", { type: "checkbox" })}
      />
      <SecretFields form={form} words={HEADER_WORDS} disabled={whyNot !== null} />
      <Checkbox
        label="Send what was said"
        description="Prompts, replies, arguments, results and reasons go along. Without it only names, times, sizes, tokens, costs and error codes leave."
        disabled={whyNot !== null}
        {...form.getInputProps("withContent", { type: "checkbox" })}
      />
      <Checkbox
        label="Send traces"
        description={
          <>
            {unsaved && <span className="b">{unsaved} </span>}
            While it is off nothing is sent, and runs that end meanwhile are not sent later either.
          </>
        }
        disabled={whyNot !== null}
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
      <div className="row wrap tracing-actions">
        <Button
          type="submit"
          variant={form.isDirty() ? "filled" : "default"}
          disabled={whyNot !== null || !form.isDirty()}
          loading={save.isPending}
        >
          Save
        </Button>
        <Button disabled={whyNot !== null || !isSaved} loading={test.isPending} onClick={() => test.mutate()}>
          Send a test span
        </Button>
        {sink && (
          <Button
            variant="subtle"
            color="red"
            disabled={whyNot !== null}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </Button>
        )}
        <span className="t3 fs12">
          {whyNot ?? (isSaved ? "A test sends one span of no run." : "A test uses what is saved.")}
        </span>
      </div>
      {test.data && <TestResult test={test.data} />}
    </form>
  );
}
