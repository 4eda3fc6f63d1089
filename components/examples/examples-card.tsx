"use client";

import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useMe } from "@/components/layout/use-me";
import { Panel } from "@/components/ui/panel";
import type { ExampleView } from "@/server/examples/schema";
import { exampleCounts } from "./example-words";
import { RemoveExamplesDialog } from "./remove-examples-dialog";

/** Says what of a workspace is only there to be looked at, and lets an owner be rid of it in one act. */
export function ExamplesCard({ examples }: { examples: readonly ExampleView[] }) {
  const { role } = useMe();
  const [isAsking, setIsAsking] = useState(false);
  if (examples.length === 0) return null;
  const isOwner = role === "owner";
  return (
    <Panel title="Examples" className="span2">
      <div className="example-note">
        <p className="t2">
          {exampleCounts(examples)} are here to be looked at. The rehearsal model made them when Troupe was set up;
          their prices and times are made up.
          {!isOwner && " An owner can remove them."}
        </p>
        {isOwner && (
          <Button leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setIsAsking(true)}>
            Remove the examples…
          </Button>
        )}
      </div>
      {isAsking && <RemoveExamplesDialog examples={examples} onClose={() => setIsAsking(false)} />}
    </Panel>
  );
}
