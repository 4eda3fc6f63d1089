"use client";

import "./tool-servers.css";
import { IconPlug } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { CheckNote } from "./check-note";
import { ServerFacts } from "./server-facts";
import { ServerTools } from "./server-tools";
import { ToolServerHead } from "./tool-server-head";
import { TOOLS_HREF } from "./tool-server-links";
import { ToolServerSkeleton } from "./tool-server-skeleton";
import { useCheckServer } from "./use-check-server";

/** One tool server: how it is reached, what its last test said, and its tools. */
export function ToolServerPage({ toolServerId }: { toolServerId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.toolServers.list.queryOptions());
  const hydrated = useHydrated();
  const server = query.data?.find(({ id }) => id === toolServerId);
  if (hydrated && server) return <Server server={server} />;
  if (hydrated && query.data) {
    return (
      <EmptyState
        icon={IconPlug}
        title="There is no such tool server"
        action={<LinkButton href={TOOLS_HREF}>All tools</LinkButton>}
      >
        It may have been removed, or it belongs to another workspace.
      </EmptyState>
    );
  }
  if (hydrated && query.error) {
    return (
      <ErrorState
        title="The tool server could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence}
      </ErrorState>
    );
  }
  return <ToolServerSkeleton />;
}

function Server({ server }: { server: ToolServerView }) {
  const check = useCheckServer();
  usePageCrumbs([{ word: server.name }]);
  return (
    <div className="page tool-server">
      <ToolServerHead server={server} check={check} />
      <CheckNote server={server} check={check} />
      <ServerFacts server={server} />
      <ServerTools server={server} isChecking={check.isPending} />
    </div>
  );
}
