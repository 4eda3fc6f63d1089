"use client";

import { Button, PasswordInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { createProviderInput, type NewProviderCheck } from "@/server/providers/schema";
import { EndpointProblem, hostOf } from "./endpoint-check";
import { OTHER, PRESET_OPTIONS, PROVIDER_PRESETS } from "./provider-presets";

export type Endpoint = {
  preset: string | null;
  name: string;
  baseUrl: string;
  apiKey: string;
  allowPrivateHost: boolean;
};
export const FRESH_ENDPOINT: Endpoint = { preset: null, name: "", baseUrl: "", apiKey: "", allowPrivateHost: false };

type Props = {
  initial: Endpoint;
  onCancel: () => void;
  /** With the test that went well; null: untested. */
  onFound: (endpoint: Endpoint, check: NewProviderCheck | null) => void;
};

/** Address, key and name; goes on once the endpoint has answered, or when the person says to save it untested. */
export function EndpointStep({ initial, onCancel, onFound }: Props) {
  const trpc = useTRPC();
  const form = useForm<Endpoint>({
    initialValues: initial,
    validate: { name: problemOf("name"), baseUrl: problemOf("baseUrl") },
  });
  const check = useMutation(
    trpc.providers.check.mutationOptions({
      onSuccess: (result) => result.ok && onFound(form.getValues(), result),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  // What was found is about what stood in the fields.
  const change = (values: Partial<Endpoint>) => {
    form.setValues({ allowPrivateHost: false, ...values });
    check.reset();
  };
  const test = (values: Endpoint) => {
    const { baseUrl, apiKey, allowPrivateHost } = values;
    if (!check.isPending) check.mutate({ baseUrl, apiKey, allowPrivateHost });
  };
  const choose = (preset: string | null) => {
    const known = PROVIDER_PRESETS.find(({ name }) => name === preset);
    change({ preset, name: known?.name ?? "", baseUrl: known?.baseUrl ?? "" });
    form.clearErrors();
  };
  const preset = PROVIDER_PRESETS.find(({ name }) => name === form.values.preset);
  const refusal = check.error && Object.keys(fieldErrorsOf(check.error)).length === 0 ? check.error : null;
  const failed = check.data && !check.data.ok && check.data.code !== "private-host";
  return (
    <form className="col provider-form" onSubmit={form.onSubmit(test)} noValidate>
      <Select
        label="Provider"
        placeholder="Choose one, or another endpoint"
        data={PRESET_OPTIONS}
        value={form.values.preset}
        onChange={choose}
        allowDeselect={false}
        styles={{ options: { maxHeight: 440 } }}
        data-autofocus
      />
      {form.values.preset !== null && (
        <>
          <TextInput
            label="Base URL"
            description="Up to and with its version. Any endpoint that speaks the OpenAI protocol will do."
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder="https://api.example.org/v1"
            inputMode="url"
            spellCheck={false}
            {...form.getInputProps("baseUrl")}
            onChange={(event) => change({ baseUrl: event.currentTarget.value })}
          />
          <PasswordInput
            label={preset?.key === null || form.values.preset === OTHER ? "Key, if it asks for one" : "Key"}
            description="Stored encrypted, sent to this endpoint only, and never shown again."
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder={preset?.key ?? ""}
            autoComplete="off"
            spellCheck={false}
            value={form.values.apiKey}
            onChange={(event) => {
              form.setFieldValue("apiKey", event.currentTarget.value);
              check.reset();
            }}
          />
          <TextInput
            label="Name"
            description={`Stands before its models: ${form.values.name || "name"}/model. It cannot be changed later.`}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder="openai"
            spellCheck={false}
            {...form.getInputProps("name")}
          />
        </>
      )}
      {refusal && (
        <Note tone="bad" role="alert">
          {errorWords(refusal).sentence}
        </Note>
      )}
      {check.data && (
        <EndpointProblem
          check={check.data}
          host={hostOf(form.values.baseUrl)}
          isBusy={check.isPending}
          onAllow={() => {
            form.setFieldValue("allowPrivateHost", true);
            test({ ...form.getValues(), allowPrivateHost: true });
          }}
        />
      )}
      <div className="row provider-form-actions">
        {failed && (
          <Button variant="subtle" onClick={() => !form.validate().hasErrors && onFound(form.getValues(), null)}>
            Go on without a test
          </Button>
        )}
        <span className="grow" />
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="filled" loading={check.isPending} disabled={form.values.preset === null}>
          Test
        </Button>
      </div>
    </form>
  );
}

function problemOf(field: "name" | "baseUrl") {
  return (value: string) => {
    const result = createProviderInput.shape[field].safeParse(value);
    return result.success ? null : (result.error.issues[0]?.message ?? "This cannot be used.");
  };
}
