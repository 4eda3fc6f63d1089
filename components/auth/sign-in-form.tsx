"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMounted } from "@mantine/hooks";
import { useState } from "react";
import { credentials } from "@/server/auth/schema";
import styles from "./auth-card.module.css";
import { postSignIn } from "./auth-request";
import { toFormErrors } from "./form-errors";
import { Problem } from "./problem";

type Props = {
  /** Where to go afterwards; already checked to be a page of this installation. */
  next: string;
};

export function SignInForm({ next }: Props) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: "", password: "" },
    validate: schemaResolver(credentials, { sync: true }),
  });
  const ready = useMounted();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(values: { email: string; password: string }) {
    setBusy(true);
    setProblem(null);
    const outcome = await postSignIn(values);
    if (outcome.done) return window.location.assign(next);
    setBusy(false);
    const { fields, rest } = toFormErrors(outcome.error, ["email", "password"]);
    form.setErrors(fields);
    setProblem(rest);
    form.getInputNode("password")?.focus();
  }

  return (
    // Before the page's script runs, the browser would send the form itself: never by an address with a password in it.
    <form className={styles.form} method="post" onSubmit={form.onSubmit(submit)} noValidate>
      <TextInput
        {...form.getInputProps("email")}
        key={form.key("email")}
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordInput
        {...form.getInputProps("password")}
        key={form.key("password")}
        label="Password"
        name="password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      />
      <Problem>{problem}</Problem>
      <Button type="submit" variant="filled" disabled={!ready} loading={busy} fullWidth>
        Sign in
      </Button>
    </form>
  );
}
