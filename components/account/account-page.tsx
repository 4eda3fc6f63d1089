"use client";

import "./account.css";
import { useMe } from "@/components/layout/use-me";
import { PageHead } from "@/components/ui/page-head";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";

/** What a person may change about themselves. */
export function AccountPage() {
  const { user, role, workspace } = useMe();
  return (
    <div className="page">
      <PageHead title="Your account" meta={`${user.email}, ${role} of ${workspace.name}`} />
      <div className="account">
        <section>
          <h2>Name</h2>
          <ProfileForm name={user.name} />
        </section>
        <section>
          <h2>Password</h2>
          <PasswordForm email={user.email} />
        </section>
      </div>
    </div>
  );
}
