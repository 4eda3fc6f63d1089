"use client";

import { NumberInput, Slider } from "@mantine/core";
import type { RetrievalSettings } from "@/server/knowledge/schema";
import { keywordShare, withKeywordShare } from "./retrieval-settings";

type Props = { value: RetrievalSettings; onChange: (settings: RetrievalSettings) => void; disabled?: boolean };

/** How a base is searched. */
export function RetrievalFields({ value, onChange, disabled }: Props) {
  const share = keywordShare(value);
  return (
    <div className="retrieval-fields">
      <div>
        <div className="lab">
          <span>Weight</span>
          <span className="t3">
            vector {(1 - share).toFixed(2)}, BM25 {share.toFixed(2)}
          </span>
        </div>
        <Slider
          size="xs"
          min={0}
          max={1}
          step={0.05}
          value={share}
          onChange={(next) => onChange(withKeywordShare(value, next))}
          label={null}
          thumbLabel="Weight of BM25"
          disabled={disabled}
        />
        <p className="t3 fs12 lab-help">Left: the vector counts more. Right: the very words count more.</p>
      </div>
      <div>
        <div className="lab">
          <span>Similarity floor</span>
          <span className="t3">{value.similarityFloor.toFixed(2)}</span>
        </div>
        <Slider
          size="xs"
          min={0}
          max={1}
          step={0.05}
          value={value.similarityFloor}
          onChange={(similarityFloor) =>
            onChange({ ...value, similarityFloor: Math.round(similarityFloor * 100) / 100 })
          }
          label={null}
          thumbLabel="Similarity floor"
          disabled={disabled}
        />
        <p className="t3 fs12 lab-help">Looks at the vector score only. BM25 still finds what lies below.</p>
      </div>
      <NumberInput
        label="Passages of one document at most"
        min={1}
        max={50}
        allowDecimal={false}
        value={value.perDocument}
        onChange={(next) => onChange({ ...value, perDocument: wholeOf(next, value.perDocument) })}
        disabled={disabled}
      />
      <NumberInput
        label="Passages sent at most"
        min={1}
        max={50}
        allowDecimal={false}
        value={value.topK}
        onChange={(next) => onChange({ ...value, topK: wholeOf(next, value.topK) })}
        disabled={disabled}
      />
    </div>
  );
}

/** A number field gives "" while it is empty: the setting stays until a number is there. */
function wholeOf(given: number | string, before: number): number {
  const whole = Math.round(Number(given));
  return given === "" || !Number.isFinite(whole) ? before : Math.min(50, Math.max(1, whole));
}
