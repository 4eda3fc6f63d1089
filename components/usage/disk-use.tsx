"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatCount, formatPlural } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { MB, type UsageView } from "@/server/usage/schema";
import { formatMb, KIND_WORDS } from "./usage-words";

/** Disk by kind: a bar for the proportion, a table for the figures. */
export function DiskUse({ usage }: { usage: UsageView }) {
  const { kinds, totalBytes, measuredAt, limits } = usage;
  const limitBytes = limits.storageMb === null ? null : limits.storageMb * MB;
  const isFull = limitBytes !== null && totalBytes >= limitBytes;
  const shown = kinds.filter(({ kind, items }) => kind !== "leftovers" || items > 0);
  return (
    <section className="usage-part" aria-labelledby="usage-disk">
      <div className="usage-head">
        <h2 id="usage-disk">Disk</h2>
        <span className="t2">
          <span className="b">{formatMb(totalBytes)}</span>
          {limitBytes === null ? " kept, no limit" : ` of ${formatMb(limitBytes)}`}
        </span>
        <div className="usage-measured">
          <span className="t3 fs12">
            {measuredAt === null ? (
              "Not measured yet: only files are counted"
            ) : (
              <>
                Measured <RelativeTime at={measuredAt} />
              </>
            )}
          </span>
          <MeasureAgain />
        </div>
      </div>
      <div className="usage-meter">
        <Meter
          height={10}
          max={Math.max(limitBytes ?? totalBytes, totalBytes)}
          parts={kinds.map(({ kind, bytes }) => ({ value: bytes, color: KIND_WORDS[kind].color }))}
          label={`${formatMb(totalBytes)} kept${limitBytes === null ? "" : ` of ${formatMb(limitBytes)}`}`}
        />
      </div>
      {isFull && (
        <div className="usage-note">
          <Note tone="warn">
            The limit is reached: uploads and new runs are refused. Runs under way go on, and everything can be read and
            deleted.
          </Note>
        </div>
      )}
      <table className="table cards edge">
        <thead>
          <tr>
            <th>Kind</th>
            <th>What it is</th>
            <th className="num">Number</th>
            <th className="num">Size</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ kind, items, bytes }) => (
            <tr key={kind}>
              <td>
                <span className="usage-swatch" style={{ background: KIND_WORDS[kind].color }} aria-hidden />
                <span className="b">{KIND_WORDS[kind].word}</span>
              </td>
              <td className="t2 usage-what" data-m="full">
                {KIND_WORDS[kind].what}
                <span className="only-m"> · {formatPlural(items, KIND_WORDS[kind].items)}</span>
              </td>
              <td className="num" data-m="hide">
                {formatCount(items)}
              </td>
              <td className="num usage-size">{formatMb(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="t3 fs12 usage-help">
        Sizes are those of the rows and their index entries. Free space inside the database is not in them.
      </p>
    </section>
  );
}

/** A worker measures; the page is told when it has. */
function MeasureAgain() {
  const trpc = useTRPC();
  const whyNot = useWhyNotAct();
  const measure = useMutation(
    trpc.usage.measure.mutationOptions({
      onSuccess: () => notifications.show({ message: "A worker measures now. The figures follow by themselves." }),
      onError: (error) =>
        notifications.show({ color: "red", title: "Nothing is measured", message: errorWords(error).sentence }),
    }),
  );
  if (whyNot) return null;
  return (
    <Button size="compact-sm" loading={measure.isPending} onClick={() => measure.mutate()}>
      Measure again
    </Button>
  );
}
