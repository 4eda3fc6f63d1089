"use client";

import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { useTRPC } from "@/components/trpc/client";
import { formatPlural } from "@/components/ui/format";
import type { SectionProps } from "./agent-form";
import { groupTools, matchesTool } from "./tool-groups";
import { ToolRow } from "./tool-row";

/** From this many on there is a search box. */
const MANY = 10;

/** Which tools it may call, and before which of them a person is asked. */
export function ToolsSection({ form, locked, changed, problems }: SectionProps) {
  const trpc = useTRPC();
  const { data: choices } = useSuspenseQuery(trpc.agents.tools.queryOptions());
  const [search, setSearch] = useState("");
  const { tools, askBefore } = form.values;
  const groups = groupTools(choices, tools);
  const all = groups.flatMap((group) => group.tools);
  const shown = groups
    .map((group) => ({ ...group, tools: group.tools.filter((tool) => matchesTool(tool, search)) }))
    .filter((group) => group.tools.length > 0);

  const turn = (name: string, on: boolean) => {
    // In the order of the list, so that switching one off and on again changes nothing.
    form.setFieldValue(
      "tools",
      all.map((tool) => tool.name).filter((each) => (each === name ? on : tools.includes(each))),
    );
    if (!on)
      form.setFieldValue(
        "askBefore",
        askBefore.filter((each) => each !== name),
      );
  };
  const setAsk = (name: string, asks: boolean) =>
    form.setFieldValue("askBefore", asks ? [...askBefore, name] : askBefore.filter((each) => each !== name));

  return (
    <FormSection
      id="tools"
      title="Tools"
      hint="On: it may call the tool. “Ask” makes each call wait until a person has approved it."
      summary={tools.length === 0 ? "None" : formatPlural(tools.length, "tool")}
      changed={changed}
    >
      <div className="col" data-field="tools">
        {all.length > MANY && (
          <TextInput
            aria-label="Search tools"
            placeholder={`Search ${all.length} tools`}
            type="search"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {all.length === 0 && (
          <p className="t2">No tools are available. Tools of MCP servers appear here once one is attached.</p>
        )}
        {shown.length > 0 && (
          <div className="tools scroll">
            {shown.map(({ source, tools: members }) => (
              <fieldset key={source} className="tool-group" aria-label={source}>
                <div className="tool-source">
                  <span>{source}</span>
                  <span className="t3">
                    {members.filter(({ name }) => tools.includes(name)).length} of {members.length} on
                  </span>
                </div>
                {members.map((tool) => (
                  <ToolRow
                    key={tool.name}
                    tool={tool}
                    isOn={tools.includes(tool.name)}
                    asks={askBefore.includes(tool.name)}
                    locked={locked}
                    onTurn={turn}
                    onAsk={setAsk}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        )}
        {all.length > 0 && shown.length === 0 && <p className="t2">No tool matches “{search}”.</p>}
        <FieldProblems problems={problems} />
      </div>
    </FormSection>
  );
}
