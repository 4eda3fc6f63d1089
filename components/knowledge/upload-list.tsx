"use client";

import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import Link from "next/link";
import { formatBytes, formatPlural } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import { StatusBadge } from "@/components/ui/status";
import { documentHref } from "./knowledge-links";
import { isUnderWay, type Upload, uploads } from "./upload-queue";
import { useRereadAfterUpload, useUploads } from "./use-uploads";

/** The files on their way into a base. Those simply added leave the list: the table below has them. */
export function UploadList({ baseId }: { baseId: string }) {
  const list = useUploads().filter((upload) => upload.baseId === baseId);
  useRereadAfterUpload(list);
  const shown = list.filter((upload) => upload.state !== "stored" || upload.outcome !== "added");
  const summary = summarize(list);
  return (
    <section className="uploads" aria-label="Uploads" hidden={list.length === 0}>
      <header className="uploads-head">
        <span className="grow" role="status">
          {summary}
        </span>
        {list.length > 0 && !list.some(isUnderWay) && (
          <Button variant="subtle" onClick={() => uploads.clear(baseId)}>
            Clear
          </Button>
        )}
      </header>
      {shown.length > 0 && (
        <ul>
          {shown.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** "Uploading 2 files · 3 added · 1 not added". Counts only: it is read out whenever it changes. */
function summarize(list: readonly Upload[]): string {
  const going = list.filter(isUnderWay).length;
  const refused = list.filter(({ state }) => state === "refused").length;
  const ended = (outcome: string) =>
    list.filter((upload) => upload.state === "stored" && upload.outcome === outcome).length;
  return [
    going > 0 && `Uploading ${formatPlural(going, "file")}`,
    ended("added") > 0 && `${formatPlural(ended("added"), "file")} added`,
    ended("replaced") > 0 && `${formatPlural(ended("replaced"), "file")} replaced`,
    ended("duplicate") > 0 && `${formatPlural(ended("duplicate"), "file")} already here`,
    refused > 0 && `${formatPlural(refused, "file")} not added`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function UploadRow({ upload }: { upload: Upload }) {
  return (
    <li className="upload">
      <span className="upload-name">
        <span className="ell" title={upload.name}>
          {upload.name}
        </span>
        <span className="t3 fs12 num">{formatBytes(upload.sizeBytes)}</span>
      </span>
      <span className="upload-state">
        <UploadState upload={upload} />
      </span>
      <span className="upload-acts">
        {upload.state === "refused" && upload.again && (
          <Button onClick={() => uploads.retry(upload.id)}>
            Retry<span className="sr"> {upload.name}</span>
          </Button>
        )}
        <button
          type="button"
          className="icon-btn"
          aria-label={`${isUnderWay(upload) ? "Cancel" : "Dismiss"} ${upload.name}`}
          title={isUnderWay(upload) ? "Cancel" : "Dismiss"}
          onClick={() => uploads.remove(upload.id)}
        >
          <IconX size={15} stroke={1.75} aria-hidden />
        </button>
      </span>
    </li>
  );
}

function UploadState({ upload }: { upload: Upload }) {
  if (upload.state === "waiting") return <StatusBadge status="queued" word="Waiting" />;
  if (upload.state === "refused") {
    return (
      <span className="upload-problem">
        <StatusBadge status="failed" word="Not added" />
        <span className="t2 fs12">{upload.problem}</span>
      </span>
    );
  }
  if (upload.state === "stored") return <Outcome upload={upload} />;
  const percent = upload.sizeBytes === 0 ? 0 : Math.min(100, Math.floor((upload.sentBytes / upload.sizeBytes) * 100));
  return (
    <span className="row">
      <StatusBadge status="running" word={percent === 100 ? "Storing" : "Sending"} />
      <span className="doc-meter">
        <Meter label={`${percent} %`} max={100} height={4} parts={[{ value: percent, color: "var(--st-running)" }]} />
      </span>
      <span className="t3 fs12 num">{percent} %</span>
    </span>
  );
}

function Outcome({ upload }: { upload: Extract<Upload, { state: "stored" }> }) {
  const link = (
    <Link className="linkbtn" href={documentHref(upload.baseId, upload.documentId)}>
      {upload.documentName}
    </Link>
  );
  if (upload.outcome === "duplicate") {
    return (
      <span className="upload-problem">
        <StatusBadge status="completed" word="Already here" />
        <span className="t2 fs12">The very same content is in this base as {link}. Nothing was added.</span>
      </span>
    );
  }
  return (
    <span className="upload-problem">
      <StatusBadge status="completed" word="Replaced" />
      <span className="t2 fs12">
        {link} takes the place of the earlier file of this name, which is searched until the new one is ready.
      </span>
    </span>
  );
}
