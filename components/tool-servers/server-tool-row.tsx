"use client";

import { Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { JsonView } from "@/components/runs/inspector/json-view";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { ToolServerTool, ToolServerView } from "@/server/tool-servers/schema";
import { PolicyDialog } from "./policy-dialog";
import { policyWords } from "./policy-words";
import { useServerSaved } from "./use-server-saved";
import { useWhyNotOwn } from "./use-why-not-own";

const STATED = {
  reads: "As the server says: reads",
  writes: "As the server says: writes",
  nothing: "Server does not say: writes",
};

type Props = { server: ToolServerView; tool: ToolServerTool };

export function ServerToolRow({ server, tool }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li className="tool-item">
      <div className="tool-words">
        <span className="b">{tool.name}</span> <span className="mono t3 fs12">{tool.fullName}</span>
        {tool.description && <p className="t2 tool-description">{tool.description}</p>}
        <Called server={server} tool={tool} />
        <button
          type="button"
          className="linkbtn tool-toggle"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          <Chevron size={13} aria-hidden /> Arguments
        </button>
      </div>
      <Effect server={server} tool={tool} />
      <div id={id} className="tool-schema" hidden={!isOpen}>
        {isOpen && <JsonView value={tool.parameters} />}
      </div>
    </li>
  );
}

/** How it is called, in words; for an owner the way to its form. */
function Called({ server, tool }: Props) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const whyNot = useWhyNotOwn();
  return (
    <div className="tool-called">
      <p className="t3 fs12">{policyWords(tool.policy, tool.writes).join(" ")}</p>
      {!whyNot && (
        <button type="button" className="linkbtn fs12" onClick={open}>
          Change how it is called…<span className="sr"> {tool.name}</span>
        </button>
      )}
      {tool.hasOwnPolicy && <span className="tag">set by an owner</span>}
      {isOpen && <PolicyDialog server={server} tool={tool} onClose={close} />}
    </div>
  );
}

/** Whether the tool counts as writing: then a call that was cut off is never repeated without a person. */
function Effect({ server, tool }: Props) {
  const trpc = useTRPC();
  const saved = useServerSaved();
  const whyNot = useWhyNotOwn();
  const set = useMutation(trpc.toolServers.setToolEffect.mutationOptions({ onSuccess: saved }));
  if (whyNot) return <span className="tag">{tool.writes ? "writes" : "reads"}</span>;
  return (
    <Select
      className="tool-effect"
      aria-label={`What ${tool.name} does`}
      data={[
        { value: "as-stated", label: STATED[tool.stated] },
        { value: "reads", label: "Reads" },
        { value: "writes", label: "Writes" },
      ]}
      value={set.isPending ? set.variables.effect : (tool.override ?? "as-stated")}
      allowDeselect={false}
      error={set.error ? errorWords(set.error).sentence : undefined}
      onChange={(value) => {
        const effect = value === "reads" || value === "writes" ? value : "as-stated";
        set.mutate({ toolServerId: server.id, tool: tool.name, effect });
      }}
    />
  );
}
