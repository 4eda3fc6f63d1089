"use client";

import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMounted } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { createOwnerInput } from "@/server/users/schema";
import { AccountFields } from "./account-fields";
import styles from "./auth-card.module.css";
import { postSignIn } from "./auth-request";
import { toFormErrors } from "./form-errors";
import { Problem } from "./problem";

type Props = {
  /** The installation listens beyond this machine, so the visitor must know what the server printed. */
  asksToken: boolean;
};

const FIELDS = ["name", "email", "password", "workspaceName", "setupToken"] as const;

export function SetupForm({ asksToken }: Props) {
  const trpc = useTRPC();
  const createOwner = useMutation(trpc.users.createOwner.mutationOptions());
  const ready = useMounted();
  const [problem, setProblem] = useState<string | null>(null);
  const [signingIn, setSigningIn] = useState(false);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { name: "", email: "", password: "", workspaceName: "My workspace", setupToken: "" },
    validate: schemaResolver(createOwnerInput, { sync: true }),
  });

  async function signIn(credentials: { email: string; password: string }) {
    setSigningIn(true);
    const outcome = await postSignIn(credentials);
    // The account exists now: if signing in fails, the sign-in page is the place to try again.
    window.location.assign(outcome.done ? "/" : "/sign-in");
  }

  function submit({ setupToken, ...values }: typeof form.values) {
    setProblem(null);
    createOwner.mutate(asksToken ? { ...values, setupToken } : values, {
      onSuccess: () => signIn(values),
      onError: (error) => {
        const shown = error.data ?? { userMessage: "The server did not answer. Try again.", fieldErrors: null };
        if (asksToken && error.data?.code === "NOT_ALLOWED") return form.setErrors({ setupToken: shown.userMessage });
        const { fields, rest } = toFormErrors(shown, FIELDS);
        form.setErrors(fields);
        setProblem(rest);
      },
    });
  }

  return (
    // Before the page's script runs, the browser would send the form itself: never by an address with a password in it.
    <form className={styles.form} method="post" onSubmit={form.onSubmit(submit)} noValidate>
      {asksToken && (
        <TextInput
          {...form.getInputProps("setupToken")}
          key={form.key("setupToken")}
          label="Setup token"
          description="The server printed it when it started."
          name="setupToken"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      )}
      <AccountFields form={form} autoFocus={!asksToken} />
      <TextInput
        {...form.getInputProps("workspaceName")}
        key={form.key("workspaceName")}
        label="Workspace name"
        name="workspaceName"
        autoComplete="organization"
      />
      <Problem>{problem}</Problem>
      <Button type="submit" variant="filled" disabled={!ready} loading={createOwner.isPending || signingIn} fullWidth>
        Create the owner
      </Button>
    </form>
  );
}
