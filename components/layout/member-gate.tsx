"use client";

import type { ReactNode } from "react";
import { useAccess } from "@/components/trpc/access";
import { NotAMember } from "./not-a-member";

/** Takes the workspace off the screen of somebody who has just lost it. */
export function MemberGate({ children }: { children: ReactNode }) {
  if (useAccess() !== "removed") return children;
  return (
    <main className="full-page">
      <NotAMember />
    </main>
  );
}
