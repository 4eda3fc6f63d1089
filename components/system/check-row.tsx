"use client";

import { Button, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { Check } from "@/server/system/schema";
import { CheckStateBadge } from "./check-state";

type Props = {
  check: Check;
  isTesting: boolean;
  /** Calls what was configured; for checks that otherwise call nobody. */
  onTest?: (() => void) | undefined;
};

export function CheckRow({ check, isTesting, onTest }: Props) {
  // Open where something is wrong, until the reader says otherwise: a test may change the state.
  const [choice, setChoice] = useState<boolean | null>(null);
  const open = choice ?? (check.state === "problem" || check.state === "warning");
  const factsId = useId();
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <li className="check">
      <CheckStateBadge state={check.state} />
      <h2 className="check-title">{check.title}</h2>
      <div className="check-says">
        <p>{check.says}</p>
        {check.advice && <p className="t2">{check.advice}</p>}
        {open && check.facts.length > 0 && (
          <dl id={factsId} className="check-facts">
            {check.facts.map(({ label, value }) => (
              <div key={label} className="kv">
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <div className="check-actions">
        {onTest && (
          <Tooltip
            label={check.id === "providers" ? "Calls each provider" : "Connects to each server, starts programs"}
          >
            <Button size="compact-sm" onClick={onTest} loading={isTesting}>
              Test now
            </Button>
          </Tooltip>
        )}
        {check.facts.length > 0 && (
          <button
            type="button"
            className="icon-btn"
            aria-label={`Facts about ${check.title}`}
            aria-expanded={open}
            aria-controls={open ? factsId : undefined}
            onClick={() => setChoice(!open)}
          >
            <Chevron size={16} aria-hidden />
          </button>
        )}
      </div>
    </li>
  );
}
