"use client";

import Link from "next/link";
import { formatBytes, formatCount, formatPlural } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusBadge } from "@/components/ui/status";
import type { BaseSummary } from "@/server/knowledge/schema";
import { baseHref } from "./knowledge-links";
import { EMBEDDINGS_MEAN, embeddingWords, nameSome } from "./knowledge-words";
import { isUnderWay } from "./upload-queue";
import { useUploads } from "./use-uploads";

export function BasesTable({ bases }: { bases: readonly BaseSummary[] }) {
  return (
    <table className="table cards edge bases">
      <thead>
        <tr>
          <th>Base</th>
          <th>State</th>
          <th className="num">Documents</th>
          <th className="num">Passages</th>
          <th className="num">Size</th>
          <th title={EMBEDDINGS_MEAN}>Embeddings</th>
          <th>Used by</th>
          <th className="num">Changed</th>
        </tr>
      </thead>
      <tbody>
        {bases.map((base) => (
          <BaseRow key={base.id} base={base} />
        ))}
      </tbody>
    </table>
  );
}

function BaseRow({ base }: { base: BaseSummary }) {
  const href = baseHref(base.id);
  return (
    <LinkRow href={href}>
      <td className="base-name">
        <Link href={href} className="b ell block" title={base.name} prefetch={false}>
          {base.name}
        </Link>
        {base.description && <span className="t3 fs12 ell block">{base.description}</span>}
      </td>
      <td>
        <BaseState base={base} />
      </td>
      <td className="num t2" data-m="full">
        {formatCount(base.documents)}
        <span className="only-m">
          {" "}
          {base.documents === 1 ? "document" : "documents"}, {formatPlural(base.chunks, "passage")}
        </span>
      </td>
      <td className="num t2" data-m="hide">
        {formatCount(base.chunks)}
      </td>
      <td className="num t2" data-m="hide">
        {formatBytes(base.sizeBytes)}
      </td>
      <td className="t2" data-m="hide">
        <span className="ell block">{embeddingWords(base.embeddingModel)}</span>
      </td>
      <td className="t2" data-m="hide">
        <span className="ell block" title={base.agents.map(({ name }) => name).join(", ")}>
          {base.agents.length === 0 ? (
            <span className="t3">no agent</span>
          ) : (
            nameSome(
              base.agents.map(({ name }) => name),
              2,
            )
          )}
        </span>
      </td>
      <td className="num t3" data-m="hide">
        <RelativeTime at={base.updatedAt} />
      </td>
    </LinkRow>
  );
}

/** What is going on in a base: what is wrong first, since it waits for somebody. */
function BaseState({ base }: { base: Pick<BaseSummary, "id" | "documents" | "busy" | "failed"> }) {
  const uploading = useUploads().filter((upload) => upload.baseId === base.id && isUnderWay(upload)).length;
  const parts = [
    base.failed > 0 && <StatusBadge key="failed" status="failed" word={`${formatCount(base.failed)} failed`} />,
    base.busy > 0 && <StatusBadge key="busy" status="running" word={`Indexing ${formatCount(base.busy)}`} />,
    uploading > 0 && <StatusBadge key="uploading" status="running" word={`Uploading ${formatCount(uploading)}`} />,
  ].filter(Boolean);
  if (parts.length > 0) return <span className="row wrap base-state">{parts}</span>;
  return base.documents === 0 ? (
    <StatusBadge status="queued" word="Empty" />
  ) : (
    <StatusBadge status="completed" word="Ready" />
  );
}
