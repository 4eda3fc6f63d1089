"use client";

import { Checkbox, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CodeBox } from "@/components/runs/inspector/code-box";
import { Note } from "@/components/ui/note";
import { SecretFields } from "@/components/ui/secret-fields";
import { commandLine } from "./command-line";
import { SECRET_WORDS } from "./secret-words";
import { argsOf, type ServerValues } from "./server-values";

const TRANSPORTS = [
  { value: "http", label: "Over HTTP" },
  { value: "stdio", label: "As a program" },
];

/** How a server is reached. Shared by the dialogs that add and edit one. */
export function ServerFields({ form }: { form: UseFormReturnType<ServerValues> }) {
  const { transport } = form.values;
  return (
    <>
      <div className="field">
        <span className="field-label" id="transport">
          Reached
        </span>
        <SegmentedControl
          aria-labelledby="transport"
          data={TRANSPORTS}
          value={transport}
          onChange={(value) => form.setFieldValue("transport", value === "stdio" ? "stdio" : "http")}
        />
      </div>
      {transport === "http" ? <AddressFields form={form} /> : <ProgramFields form={form} />}
      <SecretFields form={form} words={SECRET_WORDS[transport]} />
    </>
  );
}

function AddressFields({ form }: { form: UseFormReturnType<ServerValues> }) {
  return (
    <>
      <TextInput
        label="Address"
        description="Of the streamable HTTP endpoint; its path is often /mcp. Put keys into headers: the address is visible to everybody here."
        placeholder="https://tools.example.com/mcp"
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps("url")}
      />
      <Checkbox
        label="Allow this host on a private network"
        description="Calls to this machine and to private networks are refused until an owner allows the host and port. Only tick this for a server you know."
        {...form.getInputProps("allowPrivateHost", { type: "checkbox" })}
      />
    </>
  );
}

function ProgramFields({ form }: { form: UseFormReturnType<ServerValues> }) {
  const { command, args } = form.values;
  return (
    <>
      <TextInput
        label="Command"
        description="A program installed where Troupe runs, by name or full path."
        placeholder="npx"
        spellCheck={false}
        {...form.getInputProps("command")}
      />
      <Textarea
        label="Arguments"
        description="One a line. Put keys into the environment below: arguments are visible to everybody here."
        placeholder={"-y\n@modelcontextprotocol/server-filesystem\n/srv/documents"}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        classNames={{ input: "mono" }}
        {...form.getInputProps("args")}
      />
      {command.trim() !== "" && (
        <div className="field">
          <span className="field-label">It will be started as</span>
          <CodeBox>{commandLine(command.trim(), argsOf(args))}</CodeBox>
        </div>
      )}
      <Note tone="warn">
        The program runs on the server with the server’s rights: it can read and change whatever Troupe itself can. It
        is started without a shell. Saving starts nothing; a test does, and an agent’s call. Only an owner may do this.
      </Note>
    </>
  );
}
