"use client";

import { NumberInput, Select, Switch, TagsInput } from "@mantine/core";
import type { ReactNode } from "react";
import { DurationField } from "@/components/ui/duration-field";
import { RATE_STRATEGIES, type ResiliencePolicy, resiliencePolicy } from "@/server/engine/resilience/policy";
import { STRATEGY_WORDS } from "./policy-words";
import "./resilience.css";

type Props = {
  value: ResiliencePolicy;
  onChange: (policy: ResiliencePolicy) => void;
  /** By path of the field, as the server names it, e.g. "resilience.retry.maxAttempts". */
  errors: Record<string, ReactNode>;
  /** What stands before the names of the parts in `errors`. */
  at: string;
  /** What happens while nothing is said about retries. */
  usualRetry: string;
  /** Slots are a setting of their own for providers. */
  bulkhead?: boolean;
  /** What sets the fallback. */
  children?: ReactNode;
  disabled?: boolean;
};

/** Defaults of every part, with the parts that can be off turned on. */
const ON = resiliencePolicy.parse({
  retry: { maxAttempts: 3 },
  breaker: { enabled: true },
  rateLimit: { enabled: true },
  bulkhead: { enabled: true },
});

/** How calls are guarded: part by part, off until somebody turns it on (AGT-RES-01). */
export function PolicyFields({ value, onChange, errors, at, usualRetry, bulkhead, children, disabled = false }: Props) {
  const { retry, breaker, rateLimit } = value;
  const turn = (part: keyof typeof ON) => (isOn: boolean) => {
    const { [part]: _, ...others } = value;
    onChange(isOn ? { ...others, [part]: ON[part] } : others);
  };
  const error = (field: string) => errors[`${at}.${field}`];
  return (
    <div className="col policy-fields">
      <Part
        word="Own rule for retries"
        help={`Off: ${usualRetry}`}
        isOn={!!retry}
        turn={turn("retry")}
        disabled={disabled}
      >
        {retry && (
          <RetryFields
            value={retry}
            onChange={(next) => onChange({ ...value, retry: next })}
            error={(field) => error(`retry.${field}`)}
            disabled={disabled}
          />
        )}
      </Part>
      <Part
        word="Circuit breaker"
        help="After too many failures calls are refused for a while, without being made."
        isOn={!!breaker?.enabled}
        turn={turn("breaker")}
        disabled={disabled}
      >
        {breaker?.enabled && (
          <BreakerFields
            value={breaker}
            onChange={(next) => onChange({ ...value, breaker: next })}
            error={(field) => error(`breaker.${field}`)}
            disabled={disabled}
          />
        )}
      </Part>
      <Part
        word="Rate limit"
        help="So many calls in a stretch of time, over all workers; the others wait for their turn."
        isOn={!!rateLimit?.enabled}
        turn={turn("rateLimit")}
        disabled={disabled}
      >
        {rateLimit?.enabled && (
          <RateFields
            value={rateLimit}
            onChange={(next) => onChange({ ...value, rateLimit: next })}
            error={(field) => error(`rateLimit.${field}`)}
            disabled={disabled}
          />
        )}
      </Part>
      {bulkhead && (
        <Part
          word="Calls at once"
          help="So many calls under way, over all workers; the others wait."
          isOn={!!value.bulkhead?.enabled}
          turn={turn("bulkhead")}
          disabled={disabled}
        >
          {value.bulkhead?.enabled && (
            <BulkheadFields
              value={value.bulkhead}
              onChange={(next) => onChange({ ...value, bulkhead: next })}
              error={(field) => error(`bulkhead.${field}`)}
              disabled={disabled}
            />
          )}
        </Part>
      )}
      {children}
    </div>
  );
}

function Part(props: {
  word: string;
  help: string;
  isOn: boolean;
  turn: (isOn: boolean) => void;
  disabled: boolean;
  children: ReactNode;
}) {
  return (
    <div className="policy-part">
      <Switch
        label={props.word}
        description={props.help}
        checked={props.isOn}
        disabled={props.disabled}
        onChange={(event) => props.turn(event.currentTarget.checked)}
      />
      {props.isOn && <div className="grid2">{props.children}</div>}
    </div>
  );
}

type PartProps<K extends keyof ResiliencePolicy> = {
  value: NonNullable<ResiliencePolicy[K]>;
  onChange: (value: NonNullable<ResiliencePolicy[K]>) => void;
  error: (field: string) => ReactNode;
  disabled: boolean;
};

function RetryFields({ value, onChange, error, disabled }: PartProps<"retry">) {
  const set = (some: Partial<typeof value>) => onChange({ ...value, ...some });
  return (
    <>
      <Count
        label="Retries"
        description="0: one call, and no more."
        value={value.maxAttempts}
        onChange={(maxAttempts) => set({ maxAttempts })}
        error={error("maxAttempts")}
        disabled={disabled}
      />
      <DurationField
        label="First wait, in seconds"
        unitMs={1_000}
        value={value.backoffMs}
        onChange={(backoffMs) => set({ backoffMs })}
        error={error("backoffMs")}
        disabled={disabled}
      />
      <Count
        label="Each wait is longer, times"
        allowDecimal
        value={value.multiplier}
        onChange={(multiplier) => set({ multiplier })}
        error={error("multiplier")}
        disabled={disabled}
      />
      <DurationField
        label="Longest wait, in seconds"
        unitMs={1_000}
        value={value.maxBackoffMs}
        onChange={(maxBackoffMs) => set({ maxBackoffMs })}
        error={error("maxBackoffMs")}
        disabled={disabled}
      />
      <TagsInput
        label="Only these errors"
        description="Codes as failed steps show them, e.g. rate_limited. Empty: all that may pass."
        value={value.retryOn}
        onChange={(retryOn) => set({ retryOn })}
        error={error("retryOn")}
        disabled={disabled}
      />
      <TagsInput
        label="Never these errors"
        value={value.noRetryOn}
        onChange={(noRetryOn) => set({ noRetryOn })}
        error={error("noRetryOn")}
        disabled={disabled}
      />
      <Switch
        className="wide"
        label="Vary the waits at random"
        description="So that calls that failed together do not come back together."
        checked={value.jitter}
        onChange={(event) => set({ jitter: event.currentTarget.checked })}
        disabled={disabled}
      />
    </>
  );
}

function BreakerFields({ value, onChange, error, disabled }: PartProps<"breaker">) {
  const set = (some: Partial<typeof value>) => onChange({ ...value, ...some });
  return (
    <>
      <Count
        label="Opens after how many failures"
        description={value.failureRateThreshold > 0 ? "With a share: the fewest calls it is taken of." : undefined}
        value={value.failureThreshold}
        onChange={(failureThreshold) => set({ failureThreshold })}
        error={error("failureThreshold")}
        disabled={disabled}
      />
      <DurationField
        label="Within, in seconds"
        unitMs={1_000}
        value={value.failureWindowMs}
        onChange={(failureWindowMs) => set({ failureWindowMs })}
        error={error("failureWindowMs")}
        disabled={disabled}
      />
      <DurationField
        label="Stays open, in seconds"
        unitMs={1_000}
        value={value.resetTimeoutMs}
        onChange={(resetTimeoutMs) => set({ resetTimeoutMs })}
        error={error("resetTimeoutMs")}
        disabled={disabled}
      />
      <Count
        label="Closes after trial calls that succeed"
        value={value.successThreshold}
        onChange={(successThreshold) => set({ successThreshold })}
        error={error("successThreshold")}
        disabled={disabled}
      />
      <Count
        label="Or at a share of failures, in %"
        description="0: failures are counted."
        value={value.failureRateThreshold}
        onChange={(failureRateThreshold) => set({ failureRateThreshold })}
        error={error("failureRateThreshold")}
        disabled={disabled}
      />
    </>
  );
}

function RateFields({ value, onChange, error, disabled }: PartProps<"rateLimit">) {
  const set = (some: Partial<typeof value>) => onChange({ ...value, ...some });
  return (
    <>
      <Count
        label="Calls at most"
        value={value.maxRequests}
        onChange={(maxRequests) => set({ maxRequests })}
        error={error("maxRequests")}
        disabled={disabled}
      />
      <DurationField
        label="Within, in seconds"
        unitMs={1_000}
        value={value.windowMs}
        onChange={(windowMs) => set({ windowMs })}
        error={error("windowMs")}
        disabled={disabled}
      />
      <Select
        className="wide"
        label="Counted by"
        data={RATE_STRATEGIES.map((strategy) => ({ value: strategy, label: STRATEGY_WORDS[strategy] }))}
        value={value.strategy}
        onChange={(strategy) => strategy && set({ strategy })}
        allowDeselect={false}
        error={error("strategy")}
        disabled={disabled}
      />
      <DurationField
        label="Waits at most, in seconds"
        description="A call that must wait longer is refused."
        unitMs={1_000}
        value={value.maxWaitMs}
        onChange={(maxWaitMs) => set({ maxWaitMs })}
        error={error("maxWaitMs")}
        disabled={disabled}
      />
    </>
  );
}

function BulkheadFields({ value, onChange, error, disabled }: PartProps<"bulkhead">) {
  const set = (some: Partial<typeof value>) => onChange({ ...value, ...some });
  return (
    <>
      <Count
        label="Calls at once, at most"
        value={value.maxConcurrent}
        onChange={(maxConcurrent) => set({ maxConcurrent })}
        error={error("maxConcurrent")}
        disabled={disabled}
      />
      <DurationField
        label="Waits at most, in seconds"
        description="A call that must wait longer is refused."
        unitMs={1_000}
        value={value.maxWaitMs}
        onChange={(maxWaitMs) => set({ maxWaitMs })}
        error={error("maxWaitMs")}
        disabled={disabled}
      />
    </>
  );
}

type CountProps = {
  label: string;
  description?: string | undefined;
  value: number;
  onChange: (value: number) => void;
  error: ReactNode;
  disabled: boolean;
  allowDecimal?: boolean;
};

/** An emptied field stays empty and is refused when it is saved, rather than becoming a number nobody chose. */
function Count({ value, onChange, allowDecimal = false, ...props }: CountProps) {
  return (
    <NumberInput
      {...props}
      allowDecimal={allowDecimal}
      allowNegative={false}
      hideControls
      value={Number.isNaN(value) ? "" : value}
      onChange={(typed) => onChange(typed === "" ? Number.NaN : Number(typed))}
    />
  );
}
