"use client";

import "@/components/editor/editor.css";
import { Button, Modal, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconCircleCheck, IconClockOff, IconLink, IconLinkOff } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunSummary } from "@/server/runs/schema";
import { LINK_DAYS, type ShareLink } from "@/server/runs/share-schema";
import { readRunLocation } from "./run-location";

type Days = (typeof LINK_DAYS)[number];
const DAYS_WORDS = LINK_DAYS.map((days) => ({
  value: String(days),
  label: days === null ? "Until it is taken back" : days === 1 ? "For a day" : `For ${days} days`,
}));

type Props = { run: Pick<RunSummary, "id" | "title">; onClose: () => void };

/** Links to a run for members of the workspace: making one, seeing which there are, taking one back. */
export function ShareRunDialog({ run, onClose }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const links = useQuery(trpc.runShares.list.queryOptions({ runId: run.id }));
  const whyNot = useWhyNotAct();
  const changed = () => queryClient.invalidateQueries({ queryKey: trpc.runShares.list.queryKey({ runId: run.id }) });
  const create = useMutation(trpc.runShares.create.mutationOptions({ onSuccess: changed }));
  const revoke = useMutation(trpc.runShares.revoke.mutationOptions({ onSuccess: changed }));
  const selected = selectedHere(run.id);
  const [what, setWhat] = useState<"run" | "selected">(selected ? "selected" : "run");
  const [days, setDays] = useState<Days>(7);
  const problem = create.error ?? revoke.error ?? links.error;
  const made = create.data && `${window.location.origin}/links/${create.data.token}`;
  return (
    <Modal opened onClose={onClose} title="Share a link to this run" size={560}>
      <div className="col" style={{ gap: "var(--s-4)" }}>
        <p className="t2">Only signed-in members of this workspace can open it.</p>
        {problem && (
          <Note tone="bad" role="alert">
            {errorWords(problem).sentence}
          </Note>
        )}
        {whyNot === null && (
          <div className="col">
            {selected && (
              <SegmentedControl
                aria-label="What the link opens"
                data={[
                  { value: "selected", label: "What is selected now" },
                  { value: "run", label: "The run" },
                ]}
                value={what}
                onChange={(value) => setWhat(value === "run" ? "run" : "selected")}
              />
            )}
            <Select
              label="It can be opened"
              data={DAYS_WORDS}
              value={String(days)}
              allowDeselect={false}
              onChange={(value) => setDays(LINK_DAYS.find((each) => String(each) === value) ?? null)}
              data-autofocus
            />
            <div className="row">
              <Button
                variant="filled"
                leftSection={<IconLink size={15} aria-hidden />}
                loading={create.isPending}
                onClick={() => create.mutate({ runId: run.id, place: what === "selected" ? selected : null, days })}
              >
                Make a link
              </Button>
            </div>
          </div>
        )}
        {whyNot !== null && <p className="t3 fs12">{whyNot}</p>}
        {made && (
          <TextInput
            label="The new link"
            description="Copy it now: it is shown this once."
            value={made}
            readOnly
            onFocus={({ currentTarget }) => currentTarget.select()}
            rightSection={<CopyButton text={made} what="the link" />}
          />
        )}
        <section aria-label="Links to this run">
          <h3 className="section-label">Links to this run</h3>
          {links.data?.length === 0 && <p className="t2">There are none yet.</p>}
          <ul className="col" style={{ listStyle: "none", padding: 0, margin: 0 }}>
            {links.data?.map((link) => (
              <li key={link.id} className="row">
                <span className="grow">
                  <LinkState state={link.state} /> {link.placeName ?? "The run"}
                  <span className="t3 fs12 block">
                    {link.createdBy ?? "Somebody who left"}, <RelativeTime at={link.createdAt} />
                    {link.state === "open" && link.expiresAt && (
                      <>
                        , expires <RelativeTime at={link.expiresAt} />
                      </>
                    )}
                  </span>
                </span>
                {link.state === "open" && whyNot === null && (
                  <Button
                    size="compact-sm"
                    loading={revoke.isPending && revoke.variables.linkId === link.id}
                    onClick={() => revoke.mutate({ linkId: link.id })}
                  >
                    Take back
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
        <div className="dialog-actions">
          <Button onClick={onClose} data-autofocus={whyNot !== null || undefined}>
            Close
          </Button>
        </div>
      </div>
    </Modal>
  );
}

const STATES = {
  open: { icon: IconCircleCheck, word: "Open", colour: "var(--st-succeeded)" },
  expired: { icon: IconClockOff, word: "Expired", colour: "var(--st-cancelled)" },
  revoked: { icon: IconLinkOff, word: "Taken back", colour: "var(--st-cancelled)" },
} as const;

function LinkState({ state }: Pick<ShareLink, "state">) {
  const { icon: Glyph, word, colour } = STATES[state];
  return (
    <span style={{ color: colour, display: "inline-flex", alignItems: "center", gap: 4, verticalAlign: "bottom" }}>
      <Glyph size={15} aria-hidden /> {word}:
    </span>
  );
}

/** The row that is selected on the page of this run; null on other pages. */
function selectedHere(runId: string): string | null {
  if (window.location.pathname !== `/runs/${runId}`) return null;
  return readRunLocation(new URLSearchParams(window.location.search)).selected;
}
