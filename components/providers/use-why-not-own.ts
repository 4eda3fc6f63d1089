"use client";

import { useMe } from "@/components/layout/use-me";

/** Null when the person may change providers and models; else the sentence to show beside the disabled control. */
export function useWhyNotOwn(): string | null {
  return useMe().role === "owner" ? null : "Only an owner may change models and keys.";
}
