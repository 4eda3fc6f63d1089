"use client";

import { notifications } from "@mantine/notifications";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { downloadText } from "@/components/conversations/download-text";
import { documentHref } from "@/components/knowledge/knowledge-links";
import { Loaded } from "@/components/runs/inspector/loaded";
import { textKey } from "@/components/runs/run-live-text";
import type { LookProps } from "@/components/runs/views/look-panel";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { errorWords } from "@/components/ui/error-words";
import { formatBytes, formatCount, formatPlural } from "@/components/ui/format";
import type { RunFiles } from "@/server/runs/queries/inside/schema";

/** What came into the run as files, and what of it can be saved as one. */
export function FilesLook({ state, view }: LookProps) {
  const trpc = useTRPC();
  const { run } = state;
  const query = useQuery({ ...trpc.runInside.files.queryOptions({ runId: run.id }), ...rereadEvery(run.status) });
  useRereadAtEnd(run.status, query.refetch);
  return (
    <div className="look-body look-sections">
      <Loaded query={query} what="Files">
        {(files) => <Files run={run} files={files} onShow={(key) => view.select(key, { look: "steps" })} />}
      </Loaded>
    </div>
  );
}

type FilesProps = { run: LookProps["state"]["run"]; files: RunFiles; onShow: (key: string) => void };

function Files({ run, files, onShow }: FilesProps) {
  const client = useTRPCClient();
  const { attached, used, results, large } = files;
  if (attached.length + used.length + results.length + large.length === 0 && run.answer === null) {
    return (
      <EmptyState title="No files yet">
        Attachments of the conversation, documents that agents were shown, and results that can be saved appear here.
      </EmptyState>
    );
  }
  const saveResult = (agentRunId: string, name: string) =>
    saving(async () => {
      const { result } = await client.runs.agent.query({ runId: run.id, agentRunId });
      save(`${name}.md`, result ?? "");
    });
  const saveLarge = (agentRunId: string, position: number, tool: string) =>
    saving(async () => {
      const { call } = await client.runs.step.query({ runId: run.id, agentRunId, position });
      const text = call?.result ?? "";
      save(`${tool}-${position}.${/^\s*[[{]/.test(text) ? "json" : "txt"}`, text);
    });
  return (
    <>
      {run.answer !== null && (
        <Section title="Answer">
          <Row
            name="answer.md"
            note={formatBytes(new TextEncoder().encode(run.answer).length)}
            onSave={() => save("answer.md", run.answer ?? "")}
          />
        </Section>
      )}
      {attached.length > 0 && (
        <Section title="Attached to the conversation" count={attached.length}>
          {attached.map(({ fileId, name, sizeBytes, passages }) => (
            <Row
              key={fileId}
              name={name}
              note={`${formatBytes(sizeBytes)}, ${formatPlural(passages, "passage")}`}
              href={`/api/files/${fileId}`}
            />
          ))}
        </Section>
      )}
      {used.length > 0 && (
        <Section title="Documents agents were shown passages of" count={used.length}>
          {used.map(({ documentId, baseId, name, baseName, fileId, sizeBytes, passages }) => (
            <Row
              key={documentId}
              name={
                baseName === null ? (
                  name
                ) : (
                  <Link href={documentHref(baseId, documentId)} prefetch={false}>
                    {name}
                  </Link>
                )
              }
              note={[
                baseName ?? "removed since",
                sizeBytes !== null && formatBytes(sizeBytes),
                `${formatPlural(passages, "passage")} shown`,
              ]
                .filter(Boolean)
                .join(", ")}
              href={fileId === null ? undefined : `/api/files/${fileId}`}
            />
          ))}
        </Section>
      )}
      {results.length > 0 && (
        <Section title="Results of agents" count={files.resultsTotal} shown={results.length}>
          {results.map(({ agentRunId, agentName, bytes }) => (
            <Row
              key={agentRunId}
              name={
                <button type="button" className="linkbtn" onClick={() => onShow(`agent:${agentRunId}`)}>
                  {agentName}
                </button>
              }
              saves={`result of ${agentName}`}
              note={formatBytes(bytes)}
              onSave={() => saveResult(agentRunId, agentName)}
            />
          ))}
        </Section>
      )}
      {large.length > 0 && (
        <Section title="What tools returned, over 8 kB" count={files.largeTotal} shown={large.length}>
          {large.map(({ agentRunId, agentName, position, tool, bytes }) => (
            <Row
              key={textKey(agentRunId, position)}
              name={
                <button type="button" className="linkbtn mono" onClick={() => onShow(textKey(agentRunId, position))}>
                  {tool}
                </button>
              }
              saves={`what ${tool} returned to ${agentName}`}
              note={`${agentName}, ${formatBytes(bytes)}`}
              onSave={() => saveLarge(agentRunId, position, tool)}
            />
          ))}
        </Section>
      )}
    </>
  );
}

type SectionProps = { title: string; count?: number; shown?: number; children: ReactNode };

function Section({ title, count, shown = count, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <h2 className="look-h">
        {title}
        {count !== undefined && <span className="count">{formatCount(count)}</span>}
      </h2>
      <ul className="look-rows">{children}</ul>
      {count !== undefined && shown !== undefined && shown < count && (
        <p className="t3 fs12">The first {formatCount(shown)} of them.</p>
      )}
    </section>
  );
}

type RowProps = {
  name: ReactNode;
  note: string;
  /** What is downloaded, where its name is a link elsewhere. */
  saves?: string;
  /** Where it lies; left out: `onSave` makes it, or there is nothing to download. */
  href?: string;
  onSave?: () => void;
};

function Row({ name, note, saves, href, onSave }: RowProps) {
  const label = `Download ${saves ?? (typeof name === "string" ? name : "the document")}`;
  return (
    <li>
      <span className="grow">
        {name}
        <span className="t3 fs12 block">{note}</span>
      </span>
      {href && (
        <a className="icon-btn" href={href} download aria-label={label} title={label}>
          <IconDownload size={16} aria-hidden />
        </a>
      )}
      {onSave && (
        <button type="button" className="icon-btn" aria-label={label} title={label} onClick={onSave}>
          <IconDownload size={16} aria-hidden />
        </button>
      )}
    </li>
  );
}

function save(name: string, text: string): void {
  downloadText(name.replace(/[\\/:*?"<>|]+/g, "-"), text);
}

function saving(work: () => Promise<void>): void {
  void work().catch((error: unknown) =>
    notifications.show({ color: "red", title: "It was not downloaded", message: errorWords(error).sentence }),
  );
}
