"use client";

import { IconChevronRight } from "@tabler/icons-react";
import { SpendFields } from "./spend-fields";
import { spendWords } from "./spend-words";
import type { StartRunDraft } from "./start-run-draft";

/** What this run alone may spend, folded away: most runs keep the limits of their team. */
export function StartLimits({ form, kind }: { form: StartRunDraft["form"]; kind: "team" | "agent" }) {
  const words = spendWords(form.values.limits);
  return (
    <details className="start-limits">
      <summary className="fs12">
        <IconChevronRight size={13} aria-hidden />
        Limits
        {words && <span className="t3">at most {words}</span>}
      </summary>
      <div className="col">
        <SpendFields
          cost={{ name: "limits.maxCostNanoUsd", input: form.getInputProps("limits.maxCostNanoUsd") }}
          tokens={{ name: "limits.maxTokens", input: form.getInputProps("limits.maxTokens") }}
          ask={{
            name: "limits.askAtRatio",
            input: form.getInputProps("limits.askAtRatio"),
            help: "Of either limit, before the first call that goes beyond. Empty: never.",
          }}
          placeholder={kind === "team" && !words ? "team's own" : "no limit"}
        />
        <p className="t3 fs12">
          {kind === "team" ? "Of this run alone, in place of all three of the team's own." : "Of this run alone."} What
          each agent may spend holds as well. For dollars, every model it uses needs a price.
        </p>
      </div>
    </details>
  );
}
