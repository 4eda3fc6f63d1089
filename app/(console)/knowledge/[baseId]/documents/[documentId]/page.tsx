import type { Metadata } from "next";
import { DocumentPage } from "@/components/knowledge/document-page";
import { documentHref } from "@/components/knowledge/knowledge-links";
import { requireSignedIn } from "@/server/auth/gate";
import { HydrateClient, prefetch, trpc } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Document" };

export default async function DocumentRoute({ params }: { params: Promise<{ baseId: string; documentId: string }> }) {
  const { baseId, documentId } = await params;
  await requireSignedIn(documentHref(encodeURIComponent(baseId), encodeURIComponent(documentId)));
  prefetch(trpc.knowledge.document.queryOptions({ documentId }));
  prefetch(trpc.knowledge.base.queryOptions({ baseId }));
  return (
    <HydrateClient>
      <DocumentPage key={documentId} baseId={baseId} documentId={documentId} />
    </HydrateClient>
  );
}
