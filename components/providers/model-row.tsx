"use client";

import { Button, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useMe } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { formatTokens } from "@/components/ui/format";
import type { ProviderModelView, ProviderView } from "@/server/providers/schema";
import { ModelDialog } from "./model-dialog";
import { ModelTestResult } from "./model-test-result";
import { formatPrice } from "./prices";
import { RemoveModelDialog } from "./remove-model-dialog";
import { useModelsChanged } from "./use-models-changed";
import { useWhyNotOwn } from "./use-why-not-own";

type Props = { provider: ProviderView; model: ProviderModelView };

export function ModelRow({ provider, model }: Props) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const isDefault = useMe().model.ref === model.ref;
  const isOwner = useWhyNotOwn() === null;
  const test = useMutation(trpc.providers.testModel.mutationOptions());
  const use = useMutation(trpc.providers.setDefaultModel.mutationOptions({ onSettled: changed }));
  const [editing, edit] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  return (
    <tr>
      <td className="model-name">
        <span className="row wrap">
          <span className="b ell" title={model.ref}>
            {model.name}
          </span>
          {isDefault && <span className="tag changed">default</span>}
          <CopyButton text={model.ref} what={`the name ${model.ref}`} />
        </span>
        {use.error && <span className="problem fs12 block">{errorWords(use.error).sentence}</span>}
        <ModelTestResult test={test} />
      </td>
      <td className="t2" data-m="full">
        <span className="only-m t3">For </span>
        {model.kind === "chat" ? "Agents" : "Knowledge"}
      </td>
      <td className="num t2" data-m="hide">
        {model.contextTokens === null ? <span className="t3">unknown</span> : formatTokens(model.contextTokens)}
      </td>
      <td className="num" data-m="full">
        <Price nanoUsd={model.inputNanoUsdPerMtok} word="in" own={["cached", model.cachedNanoUsdPerMtok]} />
      </td>
      <td className="num" data-m="full">
        <Price nanoUsd={model.outputNanoUsdPerMtok} word="out" own={["reasoning", model.reasoningNanoUsdPerMtok]} />
      </td>
      <td className="model-actions" data-m="full">
        {isOwner && (
          <span className="row">
            {model.kind === "chat" && !isDefault && (
              <Button variant="subtle" onClick={() => use.mutate({ model: model.ref })} loading={use.isPending}>
                Make default
              </Button>
            )}
            <Button variant="subtle" onClick={() => test.mutate({ modelId: model.id })} loading={test.isPending}>
              Test
            </Button>
            <IconAction label={`Edit ${model.name}`} onClick={edit.open}>
              <IconPencil size={16} aria-hidden />
            </IconAction>
            <IconAction label={`Remove ${model.name}`} onClick={remove.open}>
              <IconTrash size={16} aria-hidden />
            </IconAction>
          </span>
        )}
        {editing && <ModelDialog provider={provider} model={model} onClose={edit.close} />}
        {removing && <RemoveModelDialog model={model} onClose={remove.close} />}
      </td>
    </tr>
  );
}

/** `own`: of some of these tokens, and their price where they have one of their own. */
function Price(props: { nanoUsd: number | null; word: string; own: [word: string, nanoUsd: number | null] }) {
  const { nanoUsd, word } = props;
  const [ownWord, ownNanoUsd] = props.own;
  return (
    <span>
      {nanoUsd === null ? <span className="t3">unknown</span> : formatPrice(nanoUsd)}
      <span className="only-m t3"> {word}, per million tokens</span>
      {ownNanoUsd !== null && (
        <span className="t3 fs12 block">
          {ownWord} {formatPrice(ownNanoUsd)}
        </span>
      )}
    </span>
  );
}

function IconAction({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <button type="button" className="icon-btn" aria-label={label} onClick={onClick}>
        {children}
      </button>
    </Tooltip>
  );
}
