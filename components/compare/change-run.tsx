"use client";

import { Modal, Tooltip } from "@mantine/core";
import { IconReplace } from "@tabler/icons-react";
import { useState } from "react";
import type { RunComparison } from "@/server/runs/compare/schema";
import { ChooseRun } from "./choose-run";
import { compareHref } from "./compare-location";

type Props = Pick<RunComparison, "left" | "right"> & { side: "left" | "right" };

/** Puts another run in the place of one of both. */
export function ChangeRun({ side, left, right }: Props) {
  const [opened, setOpened] = useState(false);
  const name = side === "left" ? "A" : "B";
  const kept = side === "left" ? right : left;
  const label = `Choose another run for ${name}`;
  return (
    <>
      <Tooltip label={label}>
        <button type="button" className="icon-btn" aria-label={label} onClick={() => setOpened(true)}>
          <IconReplace size={15} stroke={1.75} aria-hidden />
        </button>
      </Tooltip>
      <Modal opened={opened} onClose={() => setOpened(false)} title={label} size={560}>
        <ChooseRun
          besides={kept.id}
          first={kept.target}
          hrefOf={(id) => compareHref(side === "left" ? { left: id, right: kept.id } : { left: kept.id, right: id })}
          onChosen={() => setOpened(false)}
        />
      </Modal>
    </>
  );
}
