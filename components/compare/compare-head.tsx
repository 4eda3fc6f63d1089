"use client";

import { Button } from "@mantine/core";
import { IconArrowsLeftRight } from "@tabler/icons-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { CopyLinkButton } from "@/components/runs/copy-link";
import { forkHref, forkWords } from "@/components/runs/run-forks";
import { formatPlural } from "@/components/ui/format";
import { PageHead } from "@/components/ui/page-head";
import type { RunComparison } from "@/server/runs/compare/schema";
import { compareHref } from "./compare-location";

/** What is compared, and how much of it differs. */
export function CompareHead({ comparison: { left, right, same, different } }: { comparison: RunComparison }) {
  const router = useRouter();
  return (
    <PageHead
      title="Compare runs"
      meta={
        <>
          <span>{different === 0 ? "No difference" : formatPlural(different, "difference")}</span>
          <span>{formatPlural(same, "step or decision", "steps and decisions")} the same</span>
          <RelationWords left={left} right={right} />
        </>
      }
      actions={
        <>
          <Button
            leftSection={<IconArrowsLeftRight size={15} aria-hidden />}
            onClick={() => router.push(compareHref({ left: right.id, right: left.id }))}
          >
            Swap A and B
          </Button>
          <CopyLinkButton />
        </>
      }
    />
  );
}

/** Of a fork beside the run it was retried from: the step from which on it may differ. */
function RelationWords({ left, right }: Pick<RunComparison, "left" | "right">) {
  const [fork, name] = right.forkOf?.id === left.id ? [right.forkOf, "B"] : [left.forkOf, "A"];
  if (!fork || fork.id !== (name === "B" ? left.id : right.id)) return null;
  return (
    <span>
      {name}:{" "}
      <Link href={forkHref(fork)} className="t2" prefetch={false}>
        {forkWords(fork)}
      </Link>{" "}
      in {name === "B" ? "A" : "B"}
    </span>
  );
}
