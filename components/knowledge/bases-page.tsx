"use client";

import "./knowledge.css";
import { useDisclosure } from "@mantine/hooks";
import { IconBook2, IconPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { BasesSkeleton } from "./bases-skeleton";
import { BasesTable } from "./bases-table";
import { EditButton } from "./edit-button";
import { NewBaseDialog } from "./new-base-dialog";

/** Every knowledge base of the workspace. */
export function BasesPage() {
  const [creating, dialog] = useDisclosure(false);
  return (
    <div className="page">
      <PageHead title="Knowledge" actions={<NewBaseButton onClick={dialog.open} filled />} />
      <LoadBoundary pending={<BasesSkeleton />} failed="The knowledge bases could not be loaded">
        <Bases onCreate={dialog.open} />
      </LoadBoundary>
      <NewBaseDialog opened={creating} onClose={dialog.close} />
    </div>
  );
}

function Bases({ onCreate }: { onCreate: () => void }) {
  const trpc = useTRPC();
  const { data: bases } = useSuspenseQuery(trpc.knowledge.bases.queryOptions());
  if (bases.length > 0) return <BasesTable bases={bases} />;
  return (
    <EmptyState icon={IconBook2} title="No knowledge bases yet" action={<NewBaseButton onClick={onCreate} />}>
      A knowledge base holds documents that agents can search, such as a handbook or a set of policies. Answers cite the
      passages they rest on, and every citation opens the passage.
    </EmptyState>
  );
}

function NewBaseButton({ onClick, filled }: { onClick: () => void; filled?: boolean }) {
  return (
    <EditButton
      variant={filled ? "filled" : "default"}
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={onClick}
    >
      New base
    </EditButton>
  );
}
