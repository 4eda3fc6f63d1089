"use client";

import { Checkbox } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FieldProblems } from "@/components/editor/field-problems";
import { FormSection } from "@/components/editor/form-section";
import { searchableWords } from "@/components/knowledge/knowledge-words";
import { useTRPC } from "@/components/trpc/client";
import type { SectionProps } from "./agent-form";

/** Which knowledge bases it may search. */
export function KnowledgeSection({ form, locked, changed, problems }: SectionProps) {
  const trpc = useTRPC();
  const { data: bases } = useSuspenseQuery(trpc.knowledge.bases.queryOptions());
  const { knowledge } = form.values;
  const gone = knowledge.filter((id) => !bases.some((base) => base.id === id));
  const rows = [
    ...bases.map((base) => ({
      id: base.id,
      name: base.name,
      description: base.description,
      fact: searchableWords(base),
    })),
    ...gone.map((id) => ({ id, name: "A base that was deleted", description: "Untick it.", fact: "" })),
  ];
  const turn = (baseId: string, on: boolean) =>
    form.setFieldValue(
      "knowledge",
      rows.map(({ id }) => id).filter((id) => (id === baseId ? on : knowledge.includes(id))),
    );
  const chosen = rows.filter(({ id }) => knowledge.includes(id)).map(({ name }) => name);
  return (
    <FormSection
      id="knowledge"
      title="Knowledge"
      hint="Ticked bases can be searched by the agent whenever it needs to; its answers cite the passages."
      summary={chosen.length === 0 ? "None" : chosen.join(", ")}
      changed={changed}
    >
      <div className="col" data-field="knowledge">
        {rows.length === 0 ? (
          <p className="t2">
            There is no knowledge base yet.{" "}
            <Link href="/knowledge" className="linkbtn">
              Create one and upload documents
            </Link>
          </p>
        ) : (
          <div className="tools scroll">
            {rows.map(({ id, name, description, fact }) => (
              <div key={id} className="base-row">
                <Checkbox
                  size="xs"
                  id={`base-${id}`}
                  checked={knowledge.includes(id)}
                  disabled={locked}
                  onChange={(event) => turn(id, event.currentTarget.checked)}
                />
                <label htmlFor={`base-${id}`} className="b ell">
                  {name}
                </label>
                <span className="t3 fs12">{fact}</span>
                {description && <p className="t2 fs12 ell">{description}</p>}
              </div>
            ))}
          </div>
        )}
        <FieldProblems problems={problems} />
      </div>
    </FormSection>
  );
}
