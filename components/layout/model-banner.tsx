"use client";

import { Tooltip } from "@mantine/core";
import { IconBrain, IconChartDots } from "@tabler/icons-react";
import Link from "next/link";
import { useMe } from "./use-me";

const REHEARSAL =
  "Answers come from a fixed, offline rule set, not from a language model. Open Models to add a provider or to choose a model.";

/** What answers when an agent names no model of its own; leads to where it is chosen. The rehearsal model never passes for an LLM. */
export function ModelBanner() {
  const { model } = useMe();
  if (model.isRehearsal) {
    return (
      <Tooltip label={REHEARSAL} events={{ hover: true, focus: true, touch: false }}>
        <Link href="/providers" className="mode" data-rehearsal prefetch={false}>
          <IconChartDots size={14} aria-hidden />
          <span>Rehearsal model</span>
          <span className="hide-m t3">not an LLM</span>
          <span className="sr">. {REHEARSAL}</span>
        </Link>
      </Tooltip>
    );
  }
  return (
    <Link href="/providers" className="mode" title={model.ref} prefetch={false}>
      <IconBrain size={14} aria-hidden />
      <span className="ell">{model.label}</span>
    </Link>
  );
}
