import type { ReactNode } from "react";

type Props = {
  title: ReactNode;
  count?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The content reaches the edges: lists and tables. */
  flush?: boolean;
  className?: string;
  /** So that a link leads here. */
  id?: string;
};

/** A titled box. Home, request cards, code and option lists only: elsewhere hairlines separate. */
export function Panel({ title, count, actions, children, flush, className, id }: Props) {
  return (
    <section id={id} className={className ? `panel ${className}` : "panel"}>
      <div className="panel-head">
        <h2>
          {title}
          {count !== undefined && count !== null && <span className="count">{count}</span>}
        </h2>
        {actions}
      </div>
      <div className={flush ? undefined : "panel-body"}>{children}</div>
    </section>
  );
}
