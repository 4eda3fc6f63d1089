import type { CreateToolServerInput, ToolServerView } from "@/server/tool-servers/schema";

type Transport = "http" | "stdio";

/** A header or a variable in the form. */
export type SecretField = {
  /** Of the row on the screen; names may repeat while somebody types. */
  key: string;
  name: string;
  value: string;
  /** Has a value on the server, which an empty field keeps. */
  isStored: boolean;
};

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

let keys = 0;
export const aSecretField = (field: Partial<SecretField> = {}): SecretField => ({
  key: `secret-${++keys}`,
  name: "",
  value: "",
  isStored: false,
  ...field,
});

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
    secrets: keptFields(values).map(({ name, value, isStored }) => ({
      name: name.trim(),
      value: isStored && value === "" ? null : value,
    })),
    allowPrivateHost: isHttp && values.allowPrivateHost,
  };
}

const keptFields = ({ secrets }: ServerValues) =>
  secrets.filter(({ name, value, isStored }) => name.trim() !== "" || value !== "" || isStored);

/** The server's messages by field, where the form has those fields: rows left empty were not sent. */
export function toFormFields(errors: Readonly<Record<string, string>>, values: ServerValues): Record<string, string> {
  const kept = keptFields(values).map((field) => values.secrets.indexOf(field));
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => {
      const [, sent, part] = /^secrets\.(\d+)\.(name|value)$/.exec(field) ?? [];
      return [sent === undefined ? field : `secrets.${kept[Number(sent)] ?? sent}.${part}`, message];
    }),
  );
}
