"use client";

import { Tooltip } from "@mantine/core";
import { IconBrain, IconChartDots } from "@tabler/icons-react";
import { useMe } from "./use-me";

const REHEARSAL =
  "No model is configured. Answers come from a fixed, offline rule set, not from a language model. Set MODEL_BASE_URL and MODEL_NAME to use one.";

/** What answers when an agent names no model of its own. The rehearsal model never passes for an LLM. */
export function ModelBanner() {
  const { model } = useMe();
  if (model.isRehearsal) {
    return (
      <Tooltip label={REHEARSAL} events={{ hover: true, focus: true, touch: true }}>
        <button type="button" className="mode" data-rehearsal>
          <IconChartDots size={14} aria-hidden />
          <span>Rehearsal model</span>
          <span className="hide-m t3">not an LLM</span>
          <span className="sr">. {REHEARSAL}</span>
        </button>
      </Tooltip>
    );
  }
  return (
    <span className="mode" title={`${model.provider}/${model.name}`}>
      <IconBrain size={14} aria-hidden />
      <span className="ell">{model.label}</span>
    </span>
  );
}
