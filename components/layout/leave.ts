import { notifications } from "@mantine/notifications";
import { signOut } from "@/components/auth/sign-out";

/** Signs out, or says why it did not work. */
export function leave(): void {
  signOut().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "The server did not answer.";
    notifications.show({ color: "red", title: "You are still signed in", message });
  });
}
