import type { Metadata } from "next";
import { AuthCard } from "@/components/auth/auth-card";
import { InviteForm } from "@/components/auth/invite-form";
import { findSignedIn } from "@/server/auth/gate";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitePage() {
  const user = await findSignedIn();
  return (
    <AuthCard title="Invitation">
      <InviteForm signedInAs={user?.email ?? null} />
    </AuthCard>
  );
}
