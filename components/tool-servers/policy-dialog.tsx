"use client";

import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormModal } from "@/components/editor/form-modal";
import { PolicyFields } from "@/components/resilience/policy-fields";
import { ToolFallback } from "@/components/resilience/tool-fallback";
import { useTRPC } from "@/components/trpc/client";
import { DurationField } from "@/components/ui/duration-field";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { ToolServerTool, ToolServerView } from "@/server/tool-servers/schema";
import type { ToolPolicy } from "@/server/tools/tool-policy";
import { policyWords } from "./policy-words";
import { SameCallFields } from "./same-call-fields";
import { useServerSaved } from "./use-server-saved";

type Props = { server: ToolServerView; tool: ToolServerTool; onClose: () => void };

/** How a tool is called. Mounted when opened, so that it begins with what is stored. */
export function PolicyDialog({ server, tool, onClose }: Props) {
  const trpc = useTRPC();
  const saved = useServerSaved();
  const form = useForm<ToolPolicy>({ initialValues: tool.policy });
  const set = useMutation(
    trpc.toolServers.setToolPolicy.mutationOptions({
      onSuccess: (changed) => {
        saved(changed);
        onClose();
      },
      onError: (error) => form.setErrors(toFormFields(fieldErrorsOf(error))),
    }),
  );
  const { resilience } = form.values;
  const save = (policy: ToolPolicy | null) => {
    if (!set.isPending) set.mutate({ toolServerId: server.id, tool: tool.name, policy });
  };
  const refusal = set.error && Object.keys(fieldErrorsOf(set.error)).length === 0 ? set.error : null;
  return (
    <FormModal isDirty={form.isDirty()} opened onClose={onClose} title={`How ${tool.name} is called`} size={580}>
      <form className="col form" onSubmit={form.onSubmit((values) => save(values))} noValidate>
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        <DurationField
          label="Time limit, in seconds"
          description="From 1 s to 30 min. A run in which nothing is recorded for longer than its own limit, 10 min unless it was started with another, is ended first."
          unitMs={1000}
          {...form.getInputProps("timeoutMs")}
        />
        {tool.writes ? (
          <SameCallFields form={form} parameters={tool.parameters} />
        ) : (
          <p className="t2">It only reads: every call is made, and may be made again after a crash.</p>
        )}
        <PolicyFields
          value={resilience}
          onChange={({ timeoutMs: _, ...policy }) => form.setFieldValue("resilience", policy)}
          errors={form.errors}
          at="resilience"
          usualRetry="what the agent's own setting says; without one, see below."
          bulkhead
        >
          <ToolFallback
            value={resilience.fallback}
            onChange={(fallback) => {
              const { fallback: _, ...others } = resilience;
              form.setFieldValue("resilience", fallback ? { ...others, fallback } : others);
            }}
            tools={server.tools
              .filter(({ writes, name }) => !writes && name !== tool.name)
              .map((each) => each.fullName)}
            error={form.errors["resilience.fallback.use"]}
          />
        </PolicyFields>
        <Textarea
          label="Why"
          description="For whoever reads this later."
          autosize
          minRows={1}
          {...form.getInputProps("idempotency.description")}
        />
        <section aria-label="What this means" aria-live="polite" className="policy-words">
          {policyWords(form.values, tool.writes).map((words) => (
            <p key={words}>{words}</p>
          ))}
        </section>
        <div className="row form-actions">
          {tool.hasOwnPolicy && (
            <Button variant="subtle" onClick={() => save(null)} disabled={set.isPending}>
              Back to as usual
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={set.isPending}>
            Save
          </Button>
        </div>
      </form>
    </FormModal>
  );
}

/** Of a field among several, the message belongs to the list. */
function toFormFields(errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field.replace(/^policy\./, "").replace(/^(idempotency\.fields)\.\d+$/, "$1"),
      message,
    ]),
  );
}
