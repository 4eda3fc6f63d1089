import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthCard } from "@/components/auth/auth-card";
import { SignInForm } from "@/components/auth/sign-in-form";
import { leaveWhenSignedIn } from "@/server/auth/gate";
import { safeNext } from "@/server/auth/rules";
import { isSetupNeeded } from "@/server/users/queries";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = safeNext((await searchParams).next);
  await leaveWhenSignedIn(next);
  if (await isSetupNeeded()) redirect("/setup");
  return (
    <AuthCard title="Sign in">
      <SignInForm next={next} />
    </AuthCard>
  );
}
