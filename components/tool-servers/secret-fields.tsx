"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { aSecretField, type ServerValues } from "./server-values";

const WORDS = {
  http: {
    title: "Headers",
    about: "Sent with every request, e.g. Authorization with the value Bearer … Values are stored encrypted.",
    name: "Header name",
    add: "Add header",
  },
  stdio: {
    title: "Environment",
    about:
      "Keys the program needs. Values are stored encrypted; of this server’s own environment it gets PATH and HOME.",
    name: "Variable name",
    add: "Add variable",
  },
};

/** Headers or environment, by rows. A stored value is never shown: an empty field keeps it. */
export function SecretFields({ form }: { form: UseFormReturnType<ServerValues> }) {
  const words = WORDS[form.values.transport];
  return (
    <fieldset className="secrets">
      <legend>{words.title}</legend>
      <p className="t2 fs12">{words.about}</p>
      {form.values.secrets.map((field, i) => (
        <div className="secret-row" key={field.key}>
          <TextInput
            aria-label={words.name}
            placeholder={words.name}
            readOnly={field.isStored}
            spellCheck={false}
            autoComplete="off"
            {...form.getInputProps(`secrets.${i}.name`)}
          />
          <PasswordInput
            aria-label={`Value of ${field.name || "it"}`}
            placeholder={field.isStored ? "Stored; leave empty to keep" : "Value"}
            autoComplete="new-password"
            {...form.getInputProps(`secrets.${i}.value`)}
          />
          <button
            type="button"
            className="icon-btn"
            aria-label={`Remove ${field.name || "this row"}`}
            onClick={() => form.removeListItem("secrets", i)}
          >
            <IconTrash size={15} stroke={1.75} aria-hidden />
          </button>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem("secrets", aSecretField())}
        >
          {words.add}
        </Button>
      </div>
    </fieldset>
  );
}
