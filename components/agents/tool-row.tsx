"use client";

import { SegmentedControl, Switch } from "@mantine/core";
import { memo, useId } from "react";
import { FieldProblems } from "@/components/editor/field-problems";
import { policySummary, policyWords } from "@/components/tool-servers/policy-words";
import type { ToolChoice } from "@/server/agents/schema";

type Props = {
  tool: ToolChoice;
  isOn: boolean;
  /** A person is asked before each call. */
  asks: boolean;
  locked: boolean;
  onTurn: (name: string, on: boolean) => void;
  onAsk: (name: string, asks: boolean) => void;
};

const ASK_CHOICES = [
  { value: "auto", label: "Auto" },
  { value: "ask", label: "Ask" },
];

export const ToolRow = memo(function ToolRow({ tool, isOn, asks, locked, onTurn, onAsk }: Props) {
  const id = useId();
  const called = tool.policy && policySummary(tool.policy, tool.writes);
  return (
    <div className="tool-row">
      <Switch
        id={id}
        checked={isOn}
        disabled={locked}
        onChange={(event) => onTurn(tool.name, event.currentTarget.checked)}
      />
      <label htmlFor={id} className="tool-name">
        <span className="b">{tool.title}</span>
        {tool.title !== tool.name && <span className="mono t3">{tool.name}</span>}
        {tool.writes && <span className="tag">writes</span>}
        {called && !isOn && <span className="tag">{called}</span>}
      </label>
      <span className="tool-ask">
        {isOn && (
          <SegmentedControl
            data-tight
            aria-label={`Before each call of ${tool.title}`}
            data={ASK_CHOICES}
            value={asks ? "ask" : "auto"}
            disabled={locked}
            onChange={(value) => onAsk(tool.name, value === "ask")}
          />
        )}
      </span>
      {tool.description && (
        <p className="tool-about" title={tool.description}>
          {tool.description}
        </p>
      )}
      {isOn && called && tool.policy && (
        <p className="tool-called">{policyWords(tool.policy, tool.writes).join(" ")}</p>
      )}
      {tool.problem && <FieldProblems problems={[{ field: tool.name, message: tool.problem }]} />}
    </div>
  );
});
