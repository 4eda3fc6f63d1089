"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMe, useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { formatPlural } from "@/components/ui/format";
import { later } from "@/components/ui/later";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DecisionLabel, DecisionRecord } from "@/server/decisions/schema";
import { VerdictBadge } from "./verdict-badge";

/** Loaded when somebody judges. */
const LabelForm = later(() => import("./label-form").then((it) => it.LabelForm));

/** What people say of a decision: who and when; one's own to give, change and take back; what was said before. */
export function DecisionLabels({ record }: { record: DecisionRecord }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const me = useMe();
  const whyNot = useWhyNotAct();
  const [isEditing, setIsEditing] = useState(false);
  const standing = record.labels.filter(({ endedAt }) => endedAt === null);
  const before = record.labels.filter(({ endedAt }) => endedAt !== null);
  const own = standing.find(({ userId }) => userId === me.user.id) ?? null;
  const onSuccess = async (next: DecisionRecord) => {
    setIsEditing(false);
    client.setQueryData(trpc.decisions.get.queryKey({ decisionId: record.id }), next);
    await client.invalidateQueries(trpc.decisions.explain.queryFilter({ decisionId: record.id }));
    await client.invalidateQueries(trpc.decisions.list.pathFilter());
  };
  const label = useMutation(trpc.decisions.label.mutationOptions({ onSuccess }));
  const withdraw = useMutation(trpc.decisions.withdrawLabel.mutationOptions({ onSuccess }));
  return (
    <section>
      <h3 className="section-label">Was it right?</h3>
      {standing.length === 0 && <p className="t3 fs12">Nobody has said so far.</p>}
      <ul className="labels">
        {standing.map((each) => (
          <Said key={each.id} label={each} options={record.options}>
            {each === own && whyNot === null && !isEditing && (
              <span className="row">
                <button type="button" className="linkbtn fs12" onClick={() => setIsEditing(true)}>
                  Change
                </button>
                <button
                  type="button"
                  className="linkbtn fs12"
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate({ decisionId: record.id })}
                >
                  Withdraw
                </button>
              </span>
            )}
          </Said>
        ))}
      </ul>
      {whyNot !== null && <p className="t3 fs12">{whyNot}</p>}
      {whyNot === null && (own === null || isEditing) && (
        <LabelForm
          key={own?.id}
          record={record}
          own={own}
          error={label.error ?? withdraw.error}
          isBusy={label.isPending}
          onSave={(said) => label.mutate({ decisionId: record.id, ...said })}
          onCancel={isEditing ? () => setIsEditing(false) : null}
        />
      )}
      {before.length > 0 && (
        <details className="labels-before">
          <summary className="fs12 t2">{formatPlural(before.length, "earlier label")}</summary>
          <ul className="labels">
            {before.map((each) => (
              <Said key={each.id} label={each} options={record.options} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

type SaidProps = {
  label: DecisionLabel;
  options: DecisionRecord["options"];
  children?: React.ReactNode;
};

function Said({ label, options, children }: SaidProps) {
  const better = options.find(({ key }) => key === label.option)?.label ?? label.option ?? label.words;
  return (
    <li className="label-said">
      <span className="row wrap">
        <VerdictBadge verdict={label.verdict} />
        {better && <span className="b">{better}</span>}
        <span className="t3 fs12">
          {label.by}, <RelativeTime at={label.at} />
          {label.endedAt !== null && (
            <>
              {" "}
              until <RelativeTime at={label.endedAt} />
            </>
          )}
        </span>
        {children}
      </span>
      {label.note && <span className="prewrap t2">{label.note}</span>}
    </li>
  );
}
