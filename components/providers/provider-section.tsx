"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLock, IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { policyWords, USUAL_MODEL_RETRY } from "@/components/resilience/policy-words";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { StatusBadge } from "@/components/ui/status";
import { effectivePolicy } from "@/server/engine/resilience/policy";
import type { ProviderView } from "@/server/providers/schema";
import { AddModelsDialog } from "./add-models-dialog";
import { EditProviderDialog } from "./edit-provider-dialog";
import { keyWords } from "./key-words";
import { ModelTable } from "./model-table";
import { RemoveProviderDialog } from "./remove-provider-dialog";
import { useModelsChanged } from "./use-models-changed";
import { useWhyNotOwn } from "./use-why-not-own";

/** One endpoint: where it is, whether it answered last time, and its models. */
export function ProviderSection({ provider }: { provider: ProviderView }) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const check = useMutation(trpc.providers.checkSaved.mutationOptions({ onSettled: changed }));
  const [editing, edit] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  const [adding, add] = useDisclosure(false);
  const isOwner = useWhyNotOwn() === null;
  const problem = check.error ? errorWords(check.error).sentence : provider.checkError;
  return (
    <section className="provider" aria-labelledby={`provider-${provider.id}`}>
      <header className="provider-head">
        <div className="provider-title">
          <h2 id={`provider-${provider.id}`}>{provider.name}</h2>
          <span className="provider-url">{provider.baseUrl}</span>
        </div>
        <div className="provider-facts">
          <span className={provider.apiKeyHint ? "t2" : "t3"}>{keyWords(provider)}</span>
          {provider.isPrivateHost && (
            <span className="tag" title="An owner allowed calls to this host and port.">
              <IconLock size={12} aria-hidden /> private network
            </span>
          )}
          {provider.mostCalls !== null && (
            <span className="t2" title="Further calls wait for one of these to end.">
              {formatPlural(provider.mostCalls, "call")} at once
            </span>
          )}
          <CheckState provider={provider} isChecking={check.isPending} />
        </div>
        {isOwner && (
          <div className="provider-actions">
            <Button onClick={() => check.mutate({ providerId: provider.id })} loading={check.isPending}>
              Test
            </Button>
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={add.open}>
              Add models
            </Button>
            <Button onClick={edit.open}>Edit…</Button>
            <Button data-danger onClick={remove.open}>
              Remove…
            </Button>
          </div>
        )}
      </header>
      {Object.keys(provider.resilience).length > 0 && (
        <p className="t2 fs12 provider-note">
          {policyWords(effectivePolicy(provider.resilience), USUAL_MODEL_RETRY).join(" · ")}
        </p>
      )}
      {provider.breaker && provider.breaker.is !== "closed" && (
        <div className="provider-note">
          <Note tone="warn">
            {provider.breaker.is === "open"
              ? "Its circuit breaker is open: it failed too often, and calls are refused for a while."
              : "Its circuit breaker tries whether it answers again."}
          </Note>
        </div>
      )}
      {problem && (
        <div className="provider-note">
          <Note tone="bad" aside={<CopyButton text={problem} what="the problem" />}>
            {problem}
          </Note>
        </div>
      )}
      {provider.models.length > 0 ? (
        <ModelTable provider={provider} />
      ) : (
        <p className="t2 provider-none">
          No models yet. {isOwner ? "Add those that agents and knowledge bases may use." : "An owner can add them."}
        </p>
      )}
      {adding && <AddModelsDialog provider={provider} onClose={add.close} />}
      {editing && <EditProviderDialog provider={provider} onClose={edit.close} />}
      {removing && <RemoveProviderDialog provider={provider} onClose={remove.close} />}
    </section>
  );
}

function CheckState({ provider, isChecking }: { provider: ProviderView; isChecking: boolean }) {
  if (isChecking) return <StatusBadge status="running" word="Testing" />;
  if (provider.checkedAt === null) return null;
  return (
    <span className="row t3 fs12" title={formatPlural(provider.models.length, "saved model")}>
      <StatusBadge
        status={provider.checkError === null ? "completed" : "failed"}
        word={provider.checkError === null ? "Answers" : "Does not work"}
      />
      <RelativeTime at={provider.checkedAt} />
    </span>
  );
}
