import { aSecretField, keptSecrets, type SecretField, secretsToSend } from "@/components/ui/secret-field";
import type { CreateToolServerInput, ToolServerView } from "@/server/tool-servers/schema";

type Transport = "http" | "stdio";

export type ServerValues = {
  name: string;
  transport: Transport;
  url: string;
  command: string;
  /** One a line. */
  args: string;
  secrets: SecretField[];
  allowPrivateHost: boolean;
};

export const EMPTY_VALUES: ServerValues = {
  name: "",
  transport: "http",
  url: "",
  command: "",
  args: "",
  secrets: [],
  allowPrivateHost: false,
};

export function valuesOf(server: ToolServerView): ServerValues {
  return {
    name: server.name,
    transport: server.transport,
    url: server.url ?? "",
    command: server.command ?? "",
    args: server.args.join("\n"),
    secrets: server.secretNames.map((name) => aSecretField({ name, isStored: true })),
    allowPrivateHost: server.privateHostAllowed,
  };
}

/** Empty lines are no arguments. */
export function argsOf(lines: string): string[] {
  return lines.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** What is sent: only the fields of the chosen transport, and no secret fields that were left empty. */
export function inputOf(values: ServerValues): CreateToolServerInput {
  const isHttp = values.transport === "http";
  return {
    name: values.name,
    transport: values.transport,
    url: isHttp ? values.url : "",
    command: isHttp ? "" : values.command,
    args: isHttp ? [] : argsOf(values.args),
    secrets: secretsToSend(values.secrets),
    allowPrivateHost: isHttp && values.allowPrivateHost,
  };
}

/** The server's messages by field, where the form has those fields: rows left empty were not sent. */
export function toFormFields(errors: Readonly<Record<string, string>>, values: ServerValues): Record<string, string> {
  const kept = keptSecrets(values.secrets).map((field) => values.secrets.indexOf(field));
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => {
      const [, sent, part] = /^secrets\.(\d+)\.(name|value)$/.exec(field) ?? [];
      return [sent === undefined ? field : `secrets.${kept[Number(sent)] ?? sent}.${part}`, message];
    }),
  );
}
