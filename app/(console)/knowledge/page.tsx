import type { Metadata } from "next";
import { BasesPage } from "@/components/knowledge/bases-page";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Knowledge" };

export default async function KnowledgeRoute() {
  await requireSignedIn("/knowledge");
  prefetch(trpc.knowledge.bases.queryOptions());
  return (
    <HydrateClient>
      <BasesPage />
    </HydrateClient>
  );
}
