"use client";

import { Button, PasswordInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { postSignIn } from "@/components/auth/auth-request";
import { toFormErrors } from "@/components/auth/form-errors";
import { useTRPC } from "@/components/trpc/client";
import { Note } from "@/components/ui/note";
import { changePasswordInput, MIN_PASSWORD_LENGTH } from "@/server/users/schema";

const schema = changePasswordInput
  .extend({ again: z.string() })
  .refine(({ newPassword, again }) => newPassword === again, { path: ["again"], message: "The two are not the same." });

const toggle = { "aria-label": "Show or hide the password", tabIndex: 0 };

/** A new password ends every session of the person; this browser signs in again by itself. */
export function PasswordForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const change = useMutation(trpc.users.changePassword.mutationOptions());
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { currentPassword: "", newPassword: "", again: "" },
    validate: schemaResolver(schema, { sync: true }),
  });
  function submit({ currentPassword, newPassword }: typeof form.values) {
    setProblem(null);
    change.mutate(
      { currentPassword, newPassword },
      {
        onSuccess: async () => {
          const outcome = await postSignIn({ email, password: newPassword });
          if (!outcome.done) return window.location.assign("/sign-in");
          form.reset();
          notifications.show({ message: "Your password was changed. Other browsers are signed out." });
        },
        onError: (error) => {
          const shown = error.data ?? { userMessage: "The server did not answer. Try again.", fieldErrors: null };
          const { fields, rest } = toFormErrors(shown, ["currentPassword", "newPassword"]);
          form.setErrors(fields);
          setProblem(rest);
        },
      },
    );
  }
  return (
    <form method="post" onSubmit={form.onSubmit(submit)} noValidate>
      {problem && (
        <Note tone="bad" role="alert">
          {problem}
        </Note>
      )}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label="Present password"
        autoComplete="current-password"
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps("currentPassword")}
      />
      <PasswordInput
        label="New password"
        description={`At least ${MIN_PASSWORD_LENGTH} characters. Every other browser you are signed in with is signed out.`}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps("newPassword")}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps("again")}
      />
      <Button type="submit" loading={change.isPending}>
        Change the password
      </Button>
    </form>
  );
}
