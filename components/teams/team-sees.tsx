"use client";

import { Select } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { formatCount } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { TeamPlace, TeamPreview } from "@/server/teams/schema";
import { findPlace, parentPath } from "./team-tree";
import type { TeamPreviewState } from "./use-team-preview";

type Props = { preview: TeamPreviewState; root: TeamPlace | null; selected: string };
type Supervisor = TeamPreview["supervisors"][number];

/** Exactly what a supervisor of this team will be sent: of the place selected, or of the one above it. */
export function TeamSees({ preview, root, selected }: Props) {
  const [chosen, setChosen] = useState<{ at: string; path: string } | null>(null);
  const supervisors = preview.data?.supervisors ?? [];
  const isLeading = (findPlace(root, selected)?.children.length ?? 0) > 0;
  const usual = isLeading ? selected : (parentPath(selected) ?? "");
  // A choice made here holds until another place is selected in the tree.
  const path = chosen?.at === selected ? chosen.path : usual;
  const shown = supervisors.find((each) => each.path === path) ?? supervisors[0];
  const isLed = typeof shown?.instead === "string";
  const title = isLed ? "How the engine leads" : "What the supervisor sees";
  return (
    <aside className="team-side scroll" aria-label={title}>
      <div className="sees-head">
        <h2>{title}</h2>
        {shown?.instead === null && (
          <span className="row">
            <span className="t3 fs12 num">{formatCount(shown.characters)} characters</span>
            <CopyButton text={() => inWords(shown)} what="what the supervisor sees" />
          </span>
        )}
      </div>
      {!isLed && (
        <p className="t2 fs12">
          Word for word what its model is sent before the task, with the agents as they are now.
        </p>
      )}
      {supervisors.length > 1 && shown && (
        <Select
          mt={8}
          aria-label="Supervisor"
          data={supervisors.map((each) => ({ value: each.path || "root", label: each.name }))}
          value={shown.path || "root"}
          allowDeselect={false}
          onChange={(value) => value !== null && setChosen({ at: selected, path: value === "root" ? "" : value })}
        />
      )}
      {preview.error && !preview.data && <Note tone="bad">{errorWords(preview.error).sentence}</Note>}
      {!shown && !preview.error && <p className="t3 fs12 sees">Choose a supervisor to see it.</p>}
      {shown && <Seen supervisor={shown} isSettling={preview.isSettling} />}
    </aside>
  );
}

function Seen({ supervisor: { instead, system, tools }, isSettling }: { supervisor: Supervisor; isSettling: boolean }) {
  if (instead !== null) {
    return (
      <div className="sees busy-line" aria-busy={isSettling}>
        <p className="t2">{instead}</p>
      </div>
    );
  }
  return (
    <div className="sees busy-line" aria-busy={isSettling}>
      <h3 className="section-label">System message</h3>
      <pre className="code">{system}</pre>
      <h3 className="section-label">Tools it may call</h3>
      {tools.map((tool) => (
        <details key={tool.name} className="sees-tool" open={tool.name.startsWith("agent__spawn")}>
          <summary className="mono">{tool.name}</summary>
          <pre className="code">{tool.description}</pre>
        </details>
      ))}
      {tools.length === 0 && <p className="t3 fs12">None.</p>}
    </div>
  );
}

function inWords({ system, tools }: Supervisor): string {
  return [system, ...tools.map((tool) => `${tool.name}\n${tool.description}`)].join("\n\n");
}
