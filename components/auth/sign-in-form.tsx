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

type Props =
  | {
      /** Where to go afterwards; already checked to be a page of this installation. */
      next: string;
    }
  | {
      /** Who was signed in on the page this lies on top of. */
      email: string;
      /** Signed in, as that person or as another. */
      onDone: () => Promise<void>;
    };

/** Signs in and goes to a page; or stays on the one it lies on top of, so that nothing typed there is lost. */
export function SignInForm(props: Props) {
  const isOnTop = "onDone" in props;
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { email: isOnTop ? props.email : "", password: "" },
    validate: schemaResolver(credentials, { sync: true }),
  });
  const ready = useMounted();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(values: { email: string; password: string }) {
    setBusy(true);
    setProblem(null);
    const outcome = await postSignIn(values);
    if (outcome.done) {
      if (!isOnTop) return window.location.assign(props.next);
      await props.onDone();
      return setBusy(false);
    }
    setBusy(false);
    const { fields, rest } = toFormErrors(outcome.error, ["email", "password"]);
    form.setErrors(fields);
    setProblem(rest);
    form.getInputNode("password")?.focus();
  }

  return (
    // Before the page's script runs, the browser would send the form itself: never by an address with a password in it.
    <form className={isOnTop ? styles.again : styles.form} method="post" onSubmit={form.onSubmit(submit)} noValidate>
      <TextInput
        {...form.getInputProps("email")}
        key={form.key("email")}
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!isOnTop}
      />
      <PasswordInput
        {...form.getInputProps("password")}
        key={form.key("password")}
        label="Password"
        name="password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        data-autofocus={isOnTop || undefined}
      />
      <Problem>{problem}</Problem>
      <Button type="submit" variant="filled" disabled={!ready} loading={busy} fullWidth>
        Sign in
      </Button>
    </form>
  );
}
