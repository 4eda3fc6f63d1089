import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { agentKey } from "@/components/runs/run-nodes";

type Props = Pick<TabProps, "state" | "onSelect"> & {
  id: string;
  /** Tab to open there. */
  tab?: string;
  /** The agent run these details are about: only named. */
  here?: string;
};

/** The name of an agent run, which leads to its row. */
export function AgentLink({ state, onSelect, id, tab, here }: Props) {
  const agent = state.agents.find((each) => each.id === id);
  if (!agent) return <span>An agent</span>;
  if (id === here) return <span title={agent.handle}>{agent.name}</span>;
  return (
    <button type="button" className="linkbtn" title={agent.handle} onClick={() => onSelect(agentKey(id), tab)}>
      {agent.name}
    </button>
  );
}
