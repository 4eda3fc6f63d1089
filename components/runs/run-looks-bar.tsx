"use client";

import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { LOOK_WORDS, RUN_LOOKS, type RunLook } from "@/components/runs/run-looks";

type Props = { look: RunLook; onLook: (look: RunLook) => void; children: ReactNode };

/** The views of the run, as tabs that scroll sideways where they do not fit, and the one that is chosen. */
export function RunLooks({ look, onLook, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the view, also where a key or a link changed it
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [look]);
  return (
    <Tabs
      className="run-looks"
      value={look}
      onChange={(value) => onLook(RUN_LOOKS.find((each) => each === value) ?? "steps")}
      ref={box}
    >
      <Tabs.List aria-label="Views of the run">
        {RUN_LOOKS.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {LOOK_WORDS[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={look} className="run-look">
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}
