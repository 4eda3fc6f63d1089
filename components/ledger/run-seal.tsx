"use client";

import { Button } from "@mantine/core";
import { IconClock, IconShieldCheck, IconShieldQuestion, IconShieldX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunSeal as Seal } from "@/server/ledger/schema";

/** Comparing reads all of a record: of a longer one only when somebody asks. */
const READ_BY_ITSELF = 5_000;
const AGAIN_AFTER_MS = 60_000;

type Props = { runId: string /** How many events it has. */; events: number };

/** Whether the record of an ended run is as it was when it was sealed. */
export function RunSeal({ runId, events }: Props) {
  const trpc = useTRPC();
  const [isAsked, setIsAsked] = useState(events <= READ_BY_ITSELF);
  const { data, error, isFetching, refetch } = useQuery({
    ...trpc.ledger.run.queryOptions({ runId }),
    enabled: isAsked,
    staleTime: AGAIN_AFTER_MS,
    // Sealed within seconds after its end.
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? 5_000 : false),
  });
  const compare = () => (isAsked ? void refetch() : setIsAsked(true));
  return (
    <section>
      <h3 className="section-label">Record</h3>
      <div className="row" aria-live="polite">
        {data ? <State seal={data} /> : <span className="t2">{wordsBefore({ isFetching, error })}</span>}
        {(!data || data.state === "changed" || data.state === "broken") && !isFetching && (
          <Button size="compact-sm" style={{ flex: "none" }} onClick={compare}>
            {data ? "Compare again" : "Compare with its seal"}
          </Button>
        )}
      </div>
    </section>
  );
}

function wordsBefore({ isFetching, error }: { isFetching: boolean; error: unknown }): string {
  if (isFetching) return "Comparing the record with its seal…";
  return error ? errorWords(error).sentence : "A long record is compared when you ask.";
}

function State({ seal: { state, sealedAt, digest } }: { seal: Seal }) {
  const at = sealedAt && <RelativeTime at={sealedAt} />;
  const copy = digest && <CopyButton text={digest} what="seal (SHA-256)" />;
  switch (state) {
    case "open":
    case "pending":
      return (
        <span className="row t2">
          <IconClock size={16} aria-hidden /> {state === "open" ? "Sealed when the run ends" : "Being sealed…"}
        </span>
      );
    case "unchanged":
      return (
        <span className="row" style={{ color: "var(--st-succeeded)" }}>
          <IconShieldCheck size={16} aria-hidden /> Record sealed {at} · unchanged {copy}
        </span>
      );
    case "changed":
      return (
        <span className="row" style={{ color: "var(--st-failed)" }}>
          <IconShieldX size={16} aria-hidden /> Changed after it was sealed {at} {copy}
        </span>
      );
    case "broken":
      return (
        <span className="row" style={{ color: "var(--st-failed)" }}>
          <IconShieldQuestion size={16} aria-hidden /> The ledger was changed: the seal of this record says nothing.
          Look at System.
        </span>
      );
  }
}
