"use client";

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { JsonView } from "@/components/runs/inspector/json-view";
import { Loaded } from "@/components/runs/inspector/loaded";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { Unfolding } from "@/components/runs/inspector/part";
import type { RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { formatDuration } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { RunEventBody } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";
import type { EventsInput } from "@/server/runs/schema";

const REREAD_MS = 2000;

/** The facts behind a row, oldest first; the root's are those of the whole run. */
export function EventsTab({ state, node }: TabProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const place = { runId: state.run.id, ...aboutOf(node) };
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
        const events = [...pages].reverse().flatMap((page) => page.items);
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
                      <span className="mono grow ell">
                        {event.body.kind}
                        {event.body.kind === "agent.published" && ` ${event.body.name}`}
                      </span>
                      <span className="num t3 fs12">{formatDuration(Date.parse(event.at) - runStartMs)}</span>
                    </>
                  }
                >
                  {event.body.kind === "agent.published" ? (
                    <Published event={event.body} agent={nameOf(state, event.agentRunId)} />
                  ) : (
                    <JsonView value={event.body} />
                  )}
                </Unfolding>
              ))}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** What an agent told of in an event of its own. */
function Published({ event, agent }: { event: Extract<RunEventBody, { kind: "agent.published" }>; agent: string }) {
  return (
    <div className="event-own">
      <p>
        {agent} published “{event.name}”{event.data ? ", with this:" : ", with no data."}
      </p>
      {event.data && <JsonView value={event.data} />}
    </div>
  );
}

const nameOf = ({ agents }: RunState, agentRunId: string | null) =>
  agents.find(({ id }) => id === agentRunId)?.name ?? "An agent";

/** Of which events it is: of an agent run, of one step or of one decision. The root's page shows every event of the run. */
function aboutOf({ item }: RunNode): Omit<EventsInput, "runId" | "beforeSeq"> {
  if (item.type === "agent") return { agentRunId: item.root ? null : item.agent.id };
  if (item.type === "decision") return { agentRunId: item.decision.agentRunId, decisionId: item.decision.id };
  return { agentRunId: item.agentRunId, position: item.position };
}
