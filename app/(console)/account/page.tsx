import type { Metadata } from "next";
import { AccountPage } from "@/components/account/account-page";
import { requireSignedIn } from "@/server/auth/gate";

export const metadata: Metadata = { title: "Your account" };

export default async function AccountRoute() {
  await requireSignedIn("/account");
  return <AccountPage />;
}
