import type { ReactNode } from "react";

type Props = { title: ReactNode; meta?: ReactNode; actions?: ReactNode };

/** Title, one line of facts, actions at the right: at most one filled button. */
export function PageHead({ title, meta, actions }: Props) {
  return (
    <header className="page-head">
      <div className="grow">
        <h1>{title}</h1>
        {meta && <div className="page-meta">{meta}</div>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}
