import type { ReactNode } from "react";

// Who exists and who is signed in changes between requests.
export const dynamic = "force-dynamic";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return children;
}
