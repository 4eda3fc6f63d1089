"use client";

import { useMe } from "@/components/layout/use-me";

/** Null when the person may change these settings; else the sentence to show beside the disabled controls. */
export function useWhyNotOwn(): string | null {
  return useMe().role === "owner" ? null : "Only an owner may change this.";
}
