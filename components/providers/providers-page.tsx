"use client";

import "@/components/editor/editor.css";
import "./providers.css";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBrain, IconPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { FindingPart } from "@/components/finding/finding-part";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { AddProviderDialog } from "./add-provider-dialog";
import { DefaultModel } from "./default-model";
import { ProviderSection } from "./provider-section";
import { ProvidersSkeleton } from "./providers-skeleton";
import { useWhyNotOwn } from "./use-why-not-own";

/** Which models this workspace may use, where they answer, and which one agents follow. */
export function ProvidersPage() {
  const [adding, dialog] = useDisclosure(false);
  const whyNot = useWhyNotOwn();
  return (
    <div className="page">
      <PageHead
        title="Models"
        meta="Where models answer, what they cost, and which one agents use"
        actions={
          whyNot ? (
            <span className="t3 fs12">{whyNot}</span>
          ) : (
            <Button variant="filled" leftSection={<IconPlus size={15} aria-hidden />} onClick={dialog.open}>
              Add provider
            </Button>
          )
        }
      />
      <LoadBoundary pending={<ProvidersSkeleton />} failed="The models could not be loaded">
        <DefaultModel />
        <FindingPart />
        <Providers onAdd={dialog.open} />
      </LoadBoundary>
      {adding && <AddProviderDialog onClose={dialog.close} />}
    </div>
  );
}

function Providers({ onAdd }: { onAdd: () => void }) {
  const trpc = useTRPC();
  const { data: providers } = useSuspenseQuery(trpc.providers.list.queryOptions());
  const whyNot = useWhyNotOwn();
  if (providers.length > 0) {
    return providers.map((provider) => <ProviderSection key={provider.id} provider={provider} />);
  }
  return (
    <EmptyState
      icon={IconBrain}
      title="No providers yet"
      action={
        whyNot ? undefined : (
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
            Add provider
          </Button>
        )
      }
    >
      A provider is an OpenAI-compatible endpoint: a service with a key, or a server of your own such as Ollama. Add
      one, pick its models, and agents can answer with them.
    </EmptyState>
  );
}
