"use client";

import "./tool-servers.css";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlug, IconPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { AddServerDialog } from "./add-server-dialog";
import { BuiltInTools } from "./built-in-tools";
import { ToolServerTable } from "./tool-server-table";
import { useWhyNotOwn } from "./use-why-not-own";

/** What agents may be given to work with: tools of MCP servers, and Troupe's own. */
export function ToolsPage() {
  const [adding, dialog] = useDisclosure(false);
  const whyNot = useWhyNotOwn();
  return (
    <div className="page">
      <PageHead
        title="Tools"
        meta="What agents can call. Choose among them in an agent’s form."
        actions={whyNot ? <span className="t3 fs12">{whyNot}</span> : <AddButton onClick={dialog.open} filled />}
      />
      <section className="tools-part" aria-labelledby="tool-servers">
        <h2 className="tools-heading" id="tool-servers">
          Tool servers
        </h2>
        <LoadBoundary pending={<ServersSkeleton />} failed="The tool servers could not be loaded">
          <Servers onAdd={dialog.open} />
        </LoadBoundary>
      </section>
      <section className="tools-part" aria-labelledby="built-in-tools">
        <h2 className="tools-heading" id="built-in-tools">
          Built-in tools
        </h2>
        <LoadBoundary
          pending={<SkeletonRows rows={2} columns={["1fr", "2fr"]} rowHeight={44} label="Loading built-in tools" />}
          failed="The built-in tools could not be loaded"
        >
          <BuiltInTools />
        </LoadBoundary>
      </section>
      {adding && <AddServerDialog onClose={dialog.close} />}
    </div>
  );
}

function Servers({ onAdd }: { onAdd: () => void }) {
  const trpc = useTRPC();
  const { data: servers } = useSuspenseQuery(trpc.toolServers.list.queryOptions());
  const whyNot = useWhyNotOwn();
  if (servers.length > 0) return <ToolServerTable servers={servers} />;
  return (
    <EmptyState icon={IconPlug} title="No tool servers yet" action={whyNot ? undefined : <AddButton onClick={onAdd} />}>
      A tool server speaks MCP, the Model Context Protocol, and offers tools: files, a ticket system, a search. Nothing
      is connected or started until it is tested.
    </EmptyState>
  );
}

function AddButton({ onClick, filled }: { onClick: () => void; filled?: boolean }) {
  return (
    <Button variant={filled ? "filled" : "default"} leftSection={<IconPlus size={15} aria-hidden />} onClick={onClick}>
      Add server
    </Button>
  );
}

function ServersSkeleton() {
  return <SkeletonRows rows={3} columns={["1fr", "1fr", "2fr", "1fr"]} rowHeight={44} label="Loading tool servers" />;
}
