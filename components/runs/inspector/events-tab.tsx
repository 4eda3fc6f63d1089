"use client";

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { JsonView } from "@/components/runs/inspector/json-view";
import { Loaded } from "@/components/runs/inspector/loaded";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { Unfolding } from "@/components/runs/inspector/part";
import type { RunNode } from "@/components/runs/run-nodes";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { formatDuration } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { RunEvent } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";

const REREAD_MS = 2000;

/** The facts behind a row, oldest first; the root's are those of the whole run. */
export function EventsTab({ state, node }: TabProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const place = { runId: state.run.id, agentRunId: agentOf(node) };
  const query = useInfiniteQuery({
    queryKey: [...trpc.runs.events.queryKey(place), "pages"],
    queryFn: ({ pageParam, signal }) => client.runs.events.query({ ...place, beforeSeq: pageParam }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.more ? (page.items[0]?.seq ?? null) : null),
    refetchInterval: isTerminal(state.run.status) ? false : REREAD_MS,
  });
  const runStartMs = Date.parse(state.run.createdAt);
  return (
    <Loaded query={query} what="Events">
      {({ pages }) => {
        const events = [...pages].reverse().flatMap((page) => page.items.filter((event) => concerns(event, node)));
        return (
          <>
            {query.hasNextPage && (
              <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                Show older events
              </Button>
            )}
            {events.length === 0 && <Note tone="info">No event names this row yet.</Note>}
            <div className="events">
              {events.map((event) => (
                <Unfolding
                  key={event.seq}
                  className="event"
                  head={
                    <>
                      <span className="mono t3 event-seq">{event.seq}</span>
                      <span className="mono grow ell">{event.body.kind}</span>
                      <span className="num t3 fs12">{formatDuration(Date.parse(event.at) - runStartMs)}</span>
                    </>
                  }
                >
                  <JsonView value={event.body} />
                </Unfolding>
              ))}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** Null: the root's page shows every event of the run. */
function agentOf({ item }: RunNode): string | null {
  if (item.type === "agent") return item.root ? null : item.agent.id;
  return item.type === "decision" ? item.decision.agentRunId : item.agentRunId;
}

function concerns({ body }: RunEvent, { item }: RunNode): boolean {
  if (item.type === "agent") return true;
  if (item.type === "decision") return body.kind === "decision.made" && body.decision.id === item.decision.id;
  const { position } = item;
  switch (body.kind) {
    case "steps.started":
      return body.steps.some((step) => step.position === position);
    case "step.finished":
      return body.step.position === position;
    case "decision.made":
      return body.decision.position === position || body.decision.chosen.some((chosen) => chosen.position === position);
    case "request.opened":
      return body.request.position === position;
    case "request.closed":
    case "request.passed_on":
    case "request.moved":
    case "request.assigned":
      return body.requestId === item.request?.id;
    default:
      return false;
  }
}
