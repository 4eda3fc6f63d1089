import { PasswordInput, TextInput } from "@mantine/core";
import { MIN_PASSWORD_LENGTH } from "@/server/users/schema";

type Field = "name" | "email" | "password";
/** The part of an uncontrolled form that the fields need, whatever else it holds. */
type Props = {
  form: { getInputProps: (field: Field) => object; key: (field: Field) => string };
  autoFocus: boolean;
};

/** Who somebody is and how they will sign in: of the first owner and of whoever was invited. */
export function AccountFields({ form, autoFocus }: Props) {
  return (
    <>
      <TextInput
        {...form.getInputProps("name")}
        key={form.key("name")}
        label="Your name"
        name="name"
        autoComplete="name"
        autoFocus={autoFocus}
      />
      <TextInput
        {...form.getInputProps("email")}
        key={form.key("email")}
        label="E-mail address"
        description="You sign in with it. Nothing is sent to it."
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordInput
        {...form.getInputProps("password")}
        key={form.key("password")}
        label="Password"
        description={`At least ${MIN_PASSWORD_LENGTH} characters.`}
        name="password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      />
    </>
  );
}
