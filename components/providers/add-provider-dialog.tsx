"use client";

import { Modal } from "@mantine/core";
import { useState } from "react";
import type { NewProviderCheck, ProviderView } from "@/server/providers/schema";
import { ChooseDefault } from "./choose-default";
import { type Endpoint, EndpointStep, FRESH_ENDPOINT } from "./endpoint-step";
import { ModelsStep } from "./models-step";

type Step =
  | { at: "endpoint" }
  | { at: "models"; check: NewProviderCheck | null }
  | { at: "default"; provider: ProviderView };

const TITLES = { endpoint: "Add a provider", models: "Pick its models", default: "Use it?" };

/** Address and key, then its models, then whether the workspace should follow one. Saved once, after the second step. */
export function AddProviderDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ at: "endpoint" });
  const [endpoint, setEndpoint] = useState<Endpoint>(FRESH_ENDPOINT);
  return (
    <Modal
      opened
      onClose={onClose}
      title={TITLES[step.at]}
      size={600}
      // A slip beside the dialog must not throw a typed key away.
      closeOnClickOutside={step.at === "default"}
    >
      {step.at === "endpoint" && (
        <EndpointStep
          initial={endpoint}
          onCancel={onClose}
          onFound={(values, check) => {
            setEndpoint(values);
            setStep({ at: "models", check });
          }}
        />
      )}
      {step.at === "models" && (
        <ModelsStep
          endpoint={endpoint}
          check={step.check}
          onBack={() => setStep({ at: "endpoint" })}
          onSaved={(provider) =>
            provider.models.some(({ kind }) => kind === "chat") ? setStep({ at: "default", provider }) : onClose()
          }
        />
      )}
      {step.at === "default" && <ChooseDefault provider={step.provider} onDone={onClose} />}
    </Modal>
  );
}
