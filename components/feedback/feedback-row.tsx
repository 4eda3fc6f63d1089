"use client";

import Link from "next/link";
import { RelativeTime } from "@/components/ui/relative-time";
import type { FeedbackSummary } from "@/server/feedback/schema";
import { FeedbackBadge } from "./feedback-badge";

/** One entry: what was said, of which answer of whom, who said it. */
export function FeedbackRow({ entry }: { entry: FeedbackSummary }) {
  const { type, content, runId, runTitle, agentName, agentVersion, teamName, conversationId, by, at, editedAt } = entry;
  return (
    <li className="feedback-row">
      <FeedbackBadge type={type} />
      <p className={`feedback-words prewrap${content ? "" : " t3"}`}>{content || "Without a comment"}</p>
      <span className="feedback-of">
        <Link href={`/runs/${runId}`} prefetch={false} className="ell" title={runTitle}>
          {runTitle}
        </Link>
        <span className="t3 fs12">
          {agentName} v{agentVersion}
          {teamName !== null && `, ${teamName}`}
          {conversationId !== null && (
            <>
              ,{" "}
              <Link href={`/conversations/${conversationId}`} prefetch={false} className="linkbtn fs12">
                conversation
              </Link>
            </>
          )}
        </span>
      </span>
      <span className="feedback-by t2 fs12">
        <span className="ell">{by}</span>
        <span className="t3">
          <RelativeTime at={at} />
          {editedAt !== null && ", changed"}
        </span>
      </span>
    </li>
  );
}
