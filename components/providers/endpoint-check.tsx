"use client";

import { Button } from "@mantine/core";
import { Note } from "@/components/ui/note";
import type { ProviderCheck } from "@/server/providers/schema";

type Props = { check: ProviderCheck; host: string; onAllow: () => void; isBusy: boolean };

/** Why an endpoint could not be used, and for a private one the question that only an owner can answer. */
export function EndpointProblem({ check, host, onAllow, isBusy }: Props) {
  if (check.ok) return null;
  if (check.code !== "private-host") {
    return (
      <Note tone="bad" role="alert">
        {check.problem}
      </Note>
    );
  }
  return (
    <div className="note warn allow-host" role="alert">
      <div className="col">
        <p className="b">May Troupe call {host}?</p>
        <p>
          It is on this machine or a private network, which Troupe does not call by itself. If you allow it, runs of
          this workspace may send prompts and documents to this host and port. Nothing else on that network is opened.
        </p>
        <div>
          <Button onClick={onAllow} loading={isBusy}>
            Allow {host} and test again
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Host and port of what was typed; the whole of it while it is no address. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
