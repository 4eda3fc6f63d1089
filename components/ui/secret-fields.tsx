"use client";

import "./secret-fields.css";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { aSecretField, type SecretField } from "./secret-field";

/** Of a form with such rows, whatever else is in it. */
type SecretForm = {
  values: { secrets: SecretField[] };
  getInputProps(path: string): object;
  removeListItem(path: "secrets", index: number): void;
  insertListItem(path: "secrets", item: SecretField): void;
};

type Words = { title: string; about: string; name: string; add: string };

/** Names and secret values, by rows. A stored value is never shown: an empty field keeps it. */
export function SecretFields({ form, words, disabled }: { form: SecretForm; words: Words; disabled?: boolean }) {
  return (
    <fieldset className="secrets" disabled={disabled}>
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
