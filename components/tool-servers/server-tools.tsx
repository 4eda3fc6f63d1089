"use client";

import { TextInput } from "@mantine/core";
import { IconSearch, IconTool } from "@tabler/icons-react";
import { useState } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { ServerToolRow } from "./server-tool-row";

const SEARCH_FROM = 9;

/** The tools found at the last successful test. */
export function ServerTools({ server, isChecking }: { server: ToolServerView; isChecking: boolean }) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = server.tools.filter(({ name, description }) =>
    [name, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  if (server.tools.length === 0) {
    if (isChecking || server.checkedAt !== null) return null;
    return (
      <EmptyState icon={IconTool} title="Its tools are not known yet">
        Test the connection: the tools it offers appear here, and in the forms of agents.
      </EmptyState>
    );
  }
  return (
    <section className="tools-part" aria-labelledby="server-tools">
      <div className="tools-bar">
        <h2 className="tools-heading" id="server-tools">
          Tools <span className="count">{server.tools.length}</span>
        </h2>
        {server.tools.length >= SEARCH_FROM && (
          <TextInput
            aria-label="Search its tools"
            placeholder="Search name and description"
            type="search"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={search}
            data-page-search
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
      </div>
      <ul className="tool-list">
        {shown.map((tool) => (
          <ServerToolRow key={tool.name} server={server} tool={tool} />
        ))}
      </ul>
      {shown.length === 0 && <p className="t2 tools-none">No tool matches “{search.trim()}”.</p>}
    </section>
  );
}
