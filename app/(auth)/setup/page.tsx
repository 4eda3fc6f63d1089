import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthCard } from "@/components/auth/auth-card";
import { SetupForm } from "@/components/auth/setup-form";
import { env } from "@/server/env";
import { isSetupNeeded } from "@/server/users/queries";

export const metadata: Metadata = { title: "Set up" };

export default async function SetupPage() {
  if (!(await isSetupNeeded())) redirect("/sign-in");
  return (
    <AuthCard title="Set up Troupe" lead="Nobody has signed in here yet. Create the owner of this installation.">
      <SetupForm asksToken={env().SETUP_TOKEN !== undefined} />
    </AuthCard>
  );
}
