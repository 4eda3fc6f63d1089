import type { ReactNode } from "react";
import { Panel } from "@/components/ui/panel";

export const RUNNING_COLUMNS = ["3fr", "1fr", "2fr", "60px", "60px", "60px"] as const;

type Props = {
  title: string;
  count?: ReactNode;
  isEmpty: boolean;
  /** One sentence in place of the rows. */
  empty: string;
  actions?: ReactNode;
  children: ReactNode;
};

/** A full-width panel of runs. */
export function RunPanel({ title, count, isEmpty, empty, actions, children }: Props) {
  return (
    <Panel title={title} count={count} actions={actions} className="span2" flush>
      {isEmpty ? <p className="t3 panel-empty">{empty}</p> : children}
    </Panel>
  );
}
