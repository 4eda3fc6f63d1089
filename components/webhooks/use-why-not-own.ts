"use client";

import { useMe } from "@/components/layout/use-me";

/** Null when the person may change webhooks; else the sentence to show in place of the control. */
export function useWhyNotOwn(): string | null {
  return useMe().role === "owner" ? null : "Only an owner may change webhooks.";
}
