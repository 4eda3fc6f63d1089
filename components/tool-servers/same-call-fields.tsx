"use client";

import { Select, Switch, TagsInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { DurationField } from "@/components/ui/duration-field";
import { formatSpan } from "@/components/ui/format";
import { identifiesCalls, type ToolPolicy } from "@/server/tools/tool-policy";

type Idempotency = ToolPolicy["idempotency"];
type Choice<Field extends keyof Idempotency> = { value: Idempotency[Field]; label: string };

const STRATEGIES: Choice<"strategy">[] = [
  { value: "none", label: "None: every call is made" },
  { value: "hash_input", label: "Calls with the same arguments" },
  { value: "explicit", label: "Calls with the same fields of their arguments" },
  { value: "uuid", label: "None, but the server is sent a random key" },
];
const SCOPES: Choice<"scope">[] = [
  { value: "workspace", label: "In whatever run" },
  { value: "run", label: "In the same run" },
  { value: "turn", label: "In the same turn of an agent" },
];
const HITS: Choice<"onHit">[] = [
  { value: "return_cached", label: "Answer from before" },
  { value: "return_cached_if_success", label: "Answer from before if it succeeded, else make it" },
  { value: "fail_fast", label: "Refuse it" },
];
const HINTS: Choice<"hint">[] = [
  { value: "none", label: "It keeps no keys" },
  { value: "optional", label: "It does each key once" },
  { value: "required", label: "It does each key once, and must have one" },
];
/** For a notification, an order, an issue (IDEM-11). */
const TTL_PRESETS_S = [60, 300, 3600, 86_400];
const MINUTE_MS = 60_000;

type Props = {
  form: UseFormReturnType<ToolPolicy>;
  /** JSON schema of the tool's arguments: fields to choose from. */
  parameters: Record<string, unknown>;
};

/** Which calls of a tool that writes are one call, and what becomes of the second. */
export function SameCallFields({ form, parameters }: Props) {
  const { strategy } = form.values.idempotency;
  const ttl = form.getInputProps("idempotency.ttlSeconds");
  return (
    <>
      <Select
        label="Which calls are the same"
        description="For what must not be done twice: sending, creating, charging, appending. Not where calls differ on purpose."
        data={STRATEGIES}
        allowDeselect={false}
        {...form.getInputProps("idempotency.strategy")}
      />
      {strategy === "explicit" && (
        <TagsInput
          label="Fields"
          description="Names of arguments, with dots for what lies inside: issue.id. One that stays the same is best; times and request numbers are not."
          data={Object.keys(propertiesOf(parameters))}
          splitChars={[",", " "]}
          {...form.getInputProps("idempotency.fields")}
        />
      )}
      {identifiesCalls(strategy) && (
        <>
          <Select label="Where" data={SCOPES} allowDeselect={false} {...form.getInputProps("idempotency.scope")} />
          <div>
            <DurationField
              label="For how long, in minutes"
              description="As long as doing it again would be a mistake. Counts from when a call ends."
              unitMs={MINUTE_MS}
              error={ttl.error}
              value={form.values.idempotency.ttlSeconds * 1000}
              onChange={(ms) => form.setFieldValue("idempotency.ttlSeconds", Math.round(ms / 1000))}
            />
            <span className="row policy-presets">
              {TTL_PRESETS_S.map((seconds) => (
                <button
                  key={seconds}
                  type="button"
                  className="linkbtn fs12"
                  onClick={() => form.setFieldValue("idempotency.ttlSeconds", seconds)}
                >
                  {formatSpan(seconds * 1000)}
                </button>
              ))}
            </span>
          </div>
          <Select
            label="When the same call comes again"
            data={HITS}
            allowDeselect={false}
            {...form.getInputProps("idempotency.onHit")}
          />
          <Switch
            label="Keep failures too"
            description="For failures that would come again: a call the server refused is not made a second time."
            {...form.getInputProps("idempotency.cacheFailures", { type: "checkbox" })}
          />
        </>
      )}
      <Select
        label="What the server makes of a key"
        description="Ask whoever runs it. A server that keeps keys may be called again after a crash; of any other a person is asked."
        data={HINTS}
        allowDeselect={false}
        {...form.getInputProps("idempotency.hint")}
      />
    </>
  );
}

function propertiesOf({ properties }: Record<string, unknown>): object {
  return typeof properties === "object" && properties !== null ? properties : {};
}
