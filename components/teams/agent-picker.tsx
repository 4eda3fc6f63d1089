"use client";

import { Combobox, Modal, TextInput, useCombobox } from "@mantine/core";
import { IconExternalLink, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { TeamPlace } from "@/server/teams/schema";
import { agentsAbove, findPlace } from "./team-tree";
import type { TeamAgent, TeamAgents } from "./use-team-agents";

type Props = {
  title: string;
  /** Path of the place it comes under; null: as the supervisor of the whole team. */
  parent: string | null;
  root: TeamPlace | null;
  agents: TeamAgents;
  onPick: (agentId: string) => void;
  onClose: () => void;
};

/** A searchable list of agents. Those that cannot stand there say why. */
export function AgentPicker({ title, parent, root, agents, onPick, onClose }: Props) {
  const [search, setSearch] = useState("");
  const combobox = useCombobox({ opened: true });
  const wanted = search.trim().toLowerCase();
  const isSupervisor = parent === null;
  const found = agents.choices.filter(
    ({ name, purpose }) => name.toLowerCase().includes(wanted) || purpose.toLowerCase().includes(wanted),
  );
  // Who may lead comes first where a leader is looked for; the rest stays in its order.
  const shown = isSupervisor ? [...found].sort((a, b) => Number(b.mayLead) - Number(a.mayLead)) : found;
  const above = parent === null ? new Set<string>() : agentsAbove(root, parent);
  const beside = new Set(parent === null ? [] : findPlace(root, parent)?.children.map(({ agentId }) => agentId));
  const whyNot = ({ id }: TeamAgent) => {
    if (above.has(id)) return "Is above this place: it would work under itself";
    return beside.has(id) ? "Is here already" : null;
  };
  return (
    <Modal opened onClose={onClose} title={title} size={520}>
      <Combobox
        store={combobox}
        onOptionSubmit={(agentId) => {
          onPick(agentId);
          onClose();
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            aria-label="Search agents"
            placeholder="Search name and purpose"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={search}
            data-autofocus
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.updateSelectedOptionIndex();
            }}
          />
        </Combobox.EventsTarget>
        {shown.length > 0 ? (
          <Combobox.Options className="picker-list scroll" aria-label="Agents">
            {shown.map((agent) => (
              <PickerOption key={agent.id} agent={agent} whyNot={whyNot(agent)} isSupervisor={isSupervisor} />
            ))}
          </Combobox.Options>
        ) : (
          <p className="t2 picker-foot">
            {!agents.isLoaded
              ? "Loading the agents…"
              : agents.choices.length === 0
                ? "There is no agent yet. Create one and publish it; it appears here by itself."
                : `No agent matches “${search}”.`}
          </p>
        )}
      </Combobox>
      <div className="picker-foot">
        <a className="linkbtn row" href="/agents/new" target="_blank" rel="noopener">
          New agent <IconExternalLink size={13} aria-hidden />
        </a>
        <span className="t3">A new agent appears here once it is saved.</span>
      </div>
    </Modal>
  );
}

type OptionProps = { agent: TeamAgent; whyNot: string | null; isSupervisor: boolean };

function PickerOption({ agent, whyNot, isSupervisor }: OptionProps) {
  return (
    <Combobox.Option value={agent.id} disabled={whyNot !== null}>
      <span className="row">
        <span className="b ell grow">{agent.name}</span>
        {isSupervisor && agent.mayLead && <span className="tag">may lead</span>}
        {agent.version === null ? (
          <span className="tag">Draft</span>
        ) : (
          <span className="t3 fs12">v{agent.version}</span>
        )}
      </span>
      <span className="t2 fs12 ell block">{whyNot ?? (agent.purpose || "No purpose of its own")}</span>
      {isSupervisor && !agent.mayLead && (
        <span className="t3 fs12 block">May not lead others yet: switch it on in its form, under Team.</span>
      )}
    </Combobox.Option>
  );
}
