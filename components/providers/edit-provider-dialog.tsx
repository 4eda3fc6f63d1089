"use client";

import { Button, Checkbox, NumberInput, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormModal } from "@/components/editor/form-modal";
import { PolicyFields } from "@/components/resilience/policy-fields";
import { USUAL_MODEL_RETRY } from "@/components/resilience/policy-words";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { OptionalDurationField } from "@/components/ui/optional-duration-field";
import type { ResiliencePolicy } from "@/server/engine/resilience/policy";
import type { ProviderView } from "@/server/providers/schema";
import { hostOf } from "./endpoint-check";
import { storedKeyWords } from "./key-words";
import { ModelSelect } from "./model-select";
import { useModelsChanged } from "./use-models-changed";

/** Another address or key. The stored key stays when the field is left empty. */
export function EditProviderDialog({ provider, onClose }: { provider: ProviderView; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const form = useForm({
    initialValues: {
      ...{ baseUrl: provider.baseUrl, apiKey: "", removeKey: false, allowPrivateHost: false },
      mostCalls: provider.mostCalls ?? ("" as number | string),
      resilience: provider.resilience,
    },
  });
  const update = useMutation(
    trpc.providers.update.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const { baseUrl, apiKey, removeKey, allowPrivateHost, mostCalls, resilience } = form.values;
  const refusal = update.error && Object.keys(fieldErrorsOf(update.error)).length === 0 ? update.error : null;
  const submit = form.onSubmit(() => {
    if (update.isPending) return;
    const key = removeKey ? { apiKey: "" } : apiKey ? { apiKey } : {};
    const limit = { mostCalls: mostCalls === "" ? null : Number(mostCalls) };
    update.mutate({ providerId: provider.id, baseUrl, allowPrivateHost, resilience, ...limit, ...key });
  });
  const setPolicy = (policy: Partial<ResiliencePolicy>) => {
    const { timeoutMs, ...others } = policy;
    form.setFieldValue("resilience", { ...others, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  };
  const isMoved = hostOf(baseUrl) !== hostOf(provider.baseUrl);
  return (
    <FormModal isDirty={form.isDirty()} opened onClose={onClose} title={`Edit ${provider.name}`} size={520}>
      <form className="col provider-form" onSubmit={submit} noValidate>
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        <TextInput label="Base URL" spellCheck={false} inputMode="url" {...form.getInputProps("baseUrl")} />
        {isMoved && (
          <Checkbox
            label={`Allow calls to ${hostOf(baseUrl)} if it is on a private network`}
            description="Runs of this workspace may then send prompts and documents there."
            {...form.getInputProps("allowPrivateHost", { type: "checkbox" })}
          />
        )}
        <PasswordInput
          label="New key"
          description={
            provider.apiKeyHint
              ? `Leave empty to keep ${storedKeyWords(provider)}. A key stays with the server it was entered for.`
              : "There is none now."
          }
          inputWrapperOrder={["label", "input", "description", "error"]}
          autoComplete="off"
          spellCheck={false}
          disabled={removeKey}
          {...form.getInputProps("apiKey")}
        />
        {provider.apiKeyHint && (
          <Checkbox
            label={`Remove ${storedKeyWords(provider)}`}
            {...form.getInputProps("removeKey", { type: "checkbox" })}
          />
        )}
        <NumberInput
          label="Calls at once"
          description="How many of its model calls may be under way, over all workers; the others wait. Empty: any number."
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="Any number"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          {...form.getInputProps("mostCalls")}
        />
        <OptionalDurationField
          label="Time limit of a call, in seconds"
          description="From the request to the last word. Empty: 120 s."
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="120"
          unitMs={1_000}
          value={resilience.timeoutMs ?? null}
          onChange={(timeoutMs) => setPolicy({ ...resilience, timeoutMs: timeoutMs ?? undefined })}
          error={form.errors["resilience.timeoutMs"]}
        />
        <PolicyFields
          value={resilience}
          onChange={setPolicy}
          errors={form.errors}
          at="resilience"
          usualRetry={USUAL_MODEL_RETRY}
        >
          <ModelSelect
            label="Stands in when its models cannot answer"
            nullLabel="Nobody: the agent run fails"
            description="After the retries, and while the breaker is open. An agent may name another."
            value={resilience.fallback?.use ?? null}
            onChange={(use) => {
              const { fallback: before, ...others } = resilience;
              setPolicy(use === null ? others : { ...others, fallback: { text: null, on: before?.on ?? [], use } });
            }}
            error={form.errors["resilience.fallback.use"]}
          />
        </PolicyFields>
        <div className="row provider-form-actions">
          <span className="grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={update.isPending}>
            Save
          </Button>
        </div>
      </form>
    </FormModal>
  );
}
