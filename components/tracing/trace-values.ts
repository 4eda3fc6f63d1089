import { aSecretField, keptSecrets, type SecretField, secretsToSend } from "@/components/ui/secret-field";
import type { SaveTracingInput, TraceSinkView } from "@/server/tracing/schema";

export type TraceValues = {
  endpoint: string;
  secrets: SecretField[];
  enabled: boolean;
  withContent: boolean;
  allowPrivateHost: boolean;
};

export function valuesOf(sink: TraceSinkView | null): TraceValues {
  return {
    endpoint: sink?.url ?? "",
    secrets: (sink?.headerNames ?? []).map((name) => aSecretField({ name, isStored: true })),
    enabled: sink?.enabled ?? true,
    withContent: sink?.withContent ?? false,
    allowPrivateHost: sink?.privateHostAllowed ?? false,
  };
}

/** Where the tick differs from what holds; null: it says how it is. */
export function unsavedWords(enabled: boolean, sink: Pick<TraceSinkView, "enabled"> | null): string | null {
  const isOn = sink?.enabled ?? false;
  if (enabled === isOn) return null;
  return isOn ? "Not saved yet: it stays on until you save." : "Not saved yet: it stays off until you save.";
}

export function inputOf({ secrets, ...values }: TraceValues): SaveTracingInput {
  return { ...values, headers: secretsToSend(secrets) };
}

/** The server's messages by field, under the names the form has. Rows left empty were not sent. */
export function toFormFields(
  errors: Readonly<Record<string, string>>,
  { secrets }: TraceValues,
): Record<string, string> {
  const sent = keptSecrets(secrets);
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => {
      const [, at, part] = /^headers\.(\d+)\.(name|value)$/.exec(field) ?? [];
      const row = at === undefined ? undefined : sent[Number(at)];
      return [row ? `secrets.${secrets.indexOf(row)}.${part}` : field, message];
    }),
  );
}
