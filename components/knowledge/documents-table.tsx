"use client";

import { Checkbox } from "@mantine/core";
import Link from "next/link";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { formatBytes, formatCount } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DocumentView } from "@/server/knowledge/schema";
import { DocumentProgress } from "./document-progress";
import { DocumentStatusBadge } from "./document-status";
import { EntryKindIcon } from "./entry-kind";
import { ENTRY_WORDS } from "./entry-words";
import { FileIcon } from "./file-icon";
import { documentHref } from "./knowledge-links";
import { RetryButton } from "./retry-button";

type Props = {
  documents: readonly DocumentView[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
};

/** Documents with what is being done with them. Those who may not remove any have nothing to select. */
export function DocumentsTable({ documents, selected, onSelect }: Props) {
  const canEdit = useWhyNotEdit() === null;
  const all = documents.length > 0 && documents.every(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <table className={`table cards edge docs${canEdit ? " picking" : ""}`}>
      <thead>
        <tr>
          {canEdit && (
            <th className="doc-pick">
              <Checkbox
                size="xs"
                aria-label="Select all listed documents"
                checked={all}
                indeterminate={!all && selected.size > 0}
                onChange={() => onSelect(all ? new Set() : new Set(documents.map(({ id }) => id)))}
              />
            </th>
          )}
          <th>Document</th>
          <th>State</th>
          <th>Progress</th>
          <th className="num">Passages</th>
          <th className="num">Pages</th>
          <th className="num">Size</th>
          <th className="num">Added</th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            pick={canEdit ? { checked: selected.has(document.id), onChange: () => toggle(document.id) } : null}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { document: DocumentView; pick: { checked: boolean; onChange: () => void } | null };

function DocumentRow({ document, pick }: RowProps) {
  const href = documentHref(document.baseId, document.id);
  return (
    <LinkRow href={href}>
      {pick && (
        <td className="doc-pick">
          <Checkbox size="xs" aria-label={`Select ${document.name}`} {...pick} />
        </td>
      )}
      <td className="doc-name">
        <span className="row">
          {document.entry ? (
            <EntryKindIcon kind={document.entry.kind} size={16} />
          ) : (
            <FileIcon mediaType={document.mediaType} />
          )}
          <Link href={href} className="ell" title={document.name} prefetch={false}>
            {document.name}
          </Link>
          {document.entry && <span className="entry-kind t3">{ENTRY_WORDS[document.entry.kind].word}</span>}
        </span>
      </td>
      <td className="doc-state">
        <DocumentStatusBadge document={document} />
      </td>
      <td className="doc-progress" data-m="full">
        <span className="row">
          <DocumentProgress document={document} />
          {document.mayPass && <RetryButton document={document} />}
        </span>
      </td>
      <td className="num t2" data-m="hide">
        {document.status === "ready" || document.isReplacing ? formatCount(document.chunks) : ""}
      </td>
      <td className="num t2" data-m="hide">
        {document.pages === null ? "" : formatCount(document.pages)}
      </td>
      <td className="num t2" data-m="hide">
        {formatBytes(document.sizeBytes)}
      </td>
      <td className="num t3" data-m="hide">
        <RelativeTime at={document.createdAt} />
      </td>
    </LinkRow>
  );
}
