"use client";

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CleanupCandidate, CleanupPreview, Retention } from "@/server/usage/schema";
import { CLEANUP_WORDS, formatMb } from "./usage-words";

type Props = {
  preview: CleanupPreview;
  rules: Retention;
  /** The rules in the form are others by now. */
  isChanged: boolean;
  onDone: () => void;
};

/** What the rules would delete, and the way to do it. */
export function DryRun({ preview, rules, isChanged, onDone }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const clean = useMutation(
    trpc.usage.clean.mutationOptions({
      onSuccess: () => {
        setAsks(false);
        onDone();
        void queryClient.invalidateQueries({ queryKey: trpc.usage.get.pathKey() });
      },
    }),
  );
  const going = preview.kinds.filter(({ items }) => items > 0);
  const words = going.map(({ kind, items }) => formatPlural(items, CLEANUP_WORDS[kind].one, CLEANUP_WORDS[kind].many));
  const bytes = going.reduce((sum, kind) => sum + kind.bytes, 0);
  return (
    <section className="dry-run" aria-label="Dry run">
      {preview.kinds.map(({ kind, items, bytes, oldest, newest, samples }) => (
        <div className="dry-run-kind" key={kind}>
          <p>
            <span className="b">{formatPlural(items, CLEANUP_WORDS[kind].one, CLEANUP_WORDS[kind].many)}</span>
            {items > 0 && oldest && newest ? (
              <span className="t2">
                {" "}
                · {formatMb(bytes)} · the oldest <RelativeTime at={oldest} />, the newest <RelativeTime at={newest} />
              </span>
            ) : (
              <span className="t2"> would be deleted.</span>
            )}
          </p>
          {samples.length > 0 && (
            <ul className="dry-run-samples">
              {samples.map((sample) => (
                <Sample key={sample.id} sample={sample} />
              ))}
              {items > samples.length && (
                <li className="t3">and {formatPlural(items - samples.length, "newer one")}</li>
              )}
            </ul>
          )}
        </div>
      ))}
      <p className="t3 fs12">
        Large values that only these name are swept away afterwards, and are not in these sizes.
      </p>
      {isChanged && <Note tone="info">The fields have changed since. Run it again to see what they would delete.</Note>}
      {going.length > 0 && (
        <div className="row">
          <Button data-danger disabled={isChanged} onClick={() => setAsks(true)}>
            Delete now…
          </Button>
          {isChanged && <span className="t3 fs12">First a new dry run.</span>}
        </div>
      )}
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={`Delete ${words.join(", ")}?`}
        action="Delete for good"
        isBusy={clean.isPending}
        refusal={clean.error ? errorWords(clean.error).sentence : null}
        onConfirm={() => clean.mutate({ ...rules, asOf: preview.asOf })}
      >
        <p>
          {words.join(", ")} with everything recorded about them go for good: {formatMb(bytes)}. Nothing that was not
          counted here goes, and whatever is used again meanwhile stays. Only a backup brings them back.
        </p>
      </ConfirmDialog>
    </section>
  );
}

function Sample({ sample: { title, at, bytes, href } }: { sample: CleanupCandidate }) {
  return (
    <li>
      {href ? (
        <Link className="dry-run-title" href={href}>
          {title}
        </Link>
      ) : (
        <span className="dry-run-title">{title}</span>
      )}{" "}
      <span className="t3">
        · <RelativeTime at={at} /> · {formatMb(bytes)}
      </span>
    </li>
  );
}
