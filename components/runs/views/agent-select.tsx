import { useMemo } from "react";
import { LongSelect } from "@/components/ui/long-select";
import type { AgentRow } from "@/server/engine/events";

type Props = {
  agents: readonly AgentRow[];
  label: string;
  value: string | null;
  /** What stands for none of them; left out: one must be chosen. */
  none?: string;
  onChange: (agentRunId: string | null) => void;
};

/** One of the run's agent runs. Those of one name are told apart by their handles. */
export function AgentSelect({ agents, label, value, none, onChange }: Props) {
  const data = useMemo(() => {
    const names = new Map<string, number>();
    for (const { name } of agents) names.set(name, (names.get(name) ?? 0) + 1);
    return agents.map(({ id, name, handle }) => ({
      value: id,
      label: (names.get(name) ?? 0) > 1 ? `${name} (${handle})` : name,
    }));
  }, [agents]);
  return (
    <LongSelect
      className="look-select"
      aria-label={label}
      placeholder={none}
      data={data}
      value={value}
      onChange={onChange}
      clearable={none !== undefined}
      allowDeselect={none !== undefined}
      searchable={data.length > 10}
      // What is typed takes the place of the name that stands there.
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage="No such agent"
    />
  );
}
