"use client";

import { notifications } from "@mantine/notifications";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { downloadText } from "@/components/conversations/download-text";
import { documentHref } from "@/components/knowledge/knowledge-links";
import { Loaded } from "@/components/runs/inspector/loaded";
import { textKey } from "@/components/runs/run-live-text";
import { agentKey } from "@/components/runs/run-nodes";
import type { LookProps } from "@/components/runs/views/look-panel";
import { rereadEvery, useRereadAtEnd } from "@/components/runs/views/use-live-look";
import { useLookSearch } from "@/components/runs/views/use-look-search";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { errorWords } from "@/components/ui/error-words";
import { formatBytes, formatCount, formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import { SearchField } from "@/components/ui/search-field";

/** What came into the run as files, and what of it can be saved as one. */
export function FilesLook({ state, view }: LookProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { run } = state;
  const { search, field } = useLookSearch();
  const input = { runId: run.id, search };
  const page = {
    getNextPageParam: ({ nextCursor }: { nextCursor: number | null }) => nextCursor,
    placeholderData: keepPreviousData,
  };
  const again = rereadEvery(run.status);
  const attached = useInfiniteQuery({ ...trpc.runInside.attached.infiniteQueryOptions(input, page), ...again });
  const used = useInfiniteQuery({ ...trpc.runInside.usedDocuments.infiniteQueryOptions(input, page), ...again });
  const results = useInfiniteQuery({ ...trpc.runInside.results.infiniteQueryOptions(input, page), ...again });
  const large = useInfiniteQuery({ ...trpc.runInside.largeResults.infiniteQueryOptions(input, page), ...again });
  const lists = [attached, used, results, large];
  useRereadAtEnd(run.status, () => Promise.all(lists.map(({ refetch }) => refetch())));

  /** All of them appear at once: what is there would be pushed down by what comes later. */
  const awaited = lists.find(({ data, error }) => data === undefined && !error);
  const answer = "answer.md".includes(search.toLowerCase()) ? run.answer : null;
  const isEmpty = answer === null && lists.every(({ data }) => data?.pages[0]?.total === 0);
  const show = (key: string) => view.select(key, { look: "steps" });
  const saveResult = (agentRunId: string, name: string) =>
    saving(async () => {
      const { result } = await client.runs.agent.query({ runId: run.id, agentRunId });
      save(`${name}.md`, result ?? "");
    });
  const saveLarge = (agentRunId: string, position: number, tool: string) =>
    saving(async () => {
      const { text } = await client.runs.stepText.query({ runId: run.id, agentRunId, position, part: "call.result" });
      save(`${tool}-${position}.${/^\s*[[{]/.test(text) ? "json" : "txt"}`, text);
    });
  return (
    <>
      <search className="filterbar look-bar">
        <SearchField aria-label="Search files" placeholder="Search files by name" {...field} />
      </search>
      {awaited ? (
        <div className="look-body">
          <Loaded<unknown> query={awaited} what="Files">
            {() => null}
          </Loaded>
        </div>
      ) : (
        <div className="look-body look-sections">
          {isEmpty &&
            (search ? (
              <EmptyState title="No file matches" />
            ) : (
              <EmptyState title="No files yet">
                Attachments of the conversation, documents that agents were shown, and results that can be saved appear
                here.
              </EmptyState>
            ))}
          {answer !== null && (
            <Section title="Answer">
              <Row
                name="answer.md"
                note={formatBytes(new TextEncoder().encode(answer).length)}
                onSave={() => save("answer.md", answer)}
              />
            </Section>
          )}
          <Listed title="Attached to the conversation" query={attached}>
            {({ fileId, name, sizeBytes, passages }) => (
              <Row
                key={fileId}
                name={name}
                note={`${formatBytes(sizeBytes)}, ${formatPlural(passages, "passage")}`}
                href={`/api/files/${fileId}`}
              />
            )}
          </Listed>
          <Listed title="Documents agents were shown passages of" query={used}>
            {({ documentId, baseId, name, baseName, fileId, sizeBytes, passages }) => (
              <Row
                key={`${documentId} ${baseId}`}
                name={
                  baseName === null ? (
                    name
                  ) : (
                    <Link href={documentHref(baseId, documentId)} prefetch={false}>
                      {name}
                    </Link>
                  )
                }
                saves={name}
                note={[
                  baseName ?? "removed since",
                  sizeBytes !== null && formatBytes(sizeBytes),
                  `${formatPlural(passages, "passage")} shown`,
                ]
                  .filter(Boolean)
                  .join(", ")}
                href={fileId === null ? undefined : `/api/files/${fileId}`}
              />
            )}
          </Listed>
          <Listed title="Results of agents" query={results}>
            {({ agentRunId, name, bytes }) => (
              <Row
                key={agentRunId}
                name={
                  <button type="button" className="linkbtn" onClick={() => show(agentKey(agentRunId))}>
                    {name}
                  </button>
                }
                saves={`result of ${name}`}
                note={formatBytes(bytes)}
                onSave={() => saveResult(agentRunId, name)}
              />
            )}
          </Listed>
          <Listed title="What tools returned, over 8 kB" query={large}>
            {({ agentRunId, agentName, position, name, bytes }) => (
              <Row
                key={textKey(agentRunId, position)}
                name={
                  <button type="button" className="linkbtn mono" onClick={() => show(textKey(agentRunId, position))}>
                    {name}
                  </button>
                }
                saves={`what ${name} returned to ${agentName}`}
                note={`${agentName}, ${formatBytes(bytes)}`}
                onSave={() => saveLarge(agentRunId, position, name)}
              />
            )}
          </Listed>
        </div>
      )}
    </>
  );
}

type ListedProps<T> = {
  title: string;
  query: Parameters<typeof LoadMore>[0]["query"] & {
    data: { pages: { items: T[]; total: number }[] } | undefined;
    isFetching: boolean;
    refetch: () => unknown;
  };
  children: (item: T) => ReactNode;
};

/** One kind of files, page by page; nothing where there is none. */
function Listed<T>({ title, query, children }: ListedProps<T>) {
  return (
    <Loaded query={query} what={title}>
      {({ pages }) =>
        (pages[0]?.total ?? 0) > 0 && (
          <Section title={title} count={pages[0]?.total} more={<LoadMore query={query} />}>
            {pages.flatMap(({ items }) => items).map(children)}
          </Section>
        )
      }
    </Loaded>
  );
}

type SectionProps = { title: string; count?: number | undefined; more?: ReactNode; children: ReactNode };

function Section({ title, count, more, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <h2 className="look-h">
        {title}
        {count !== undefined && <span className="count">{formatCount(count)}</span>}
      </h2>
      <ul className="look-rows">{children}</ul>
      {more}
    </section>
  );
}

type RowProps = {
  name: ReactNode;
  note: string;
  /** What is downloaded, where its name is more than a text. */
  saves?: string;
  /** Where it lies; left out: `onSave` makes it, or there is nothing to download. */
  href?: string | undefined;
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
