import { IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";

type Props = {
  id: string;
  title: string;
  hint?: ReactNode;
  /** One line of what is inside, shown while it is folded. */
  summary?: string;
  /** It differs from the published version. */
  changed?: boolean;
  folded?: boolean;
  children: ReactNode;
};

/** A folding part of a form. What is inside stays mounted, so folding loses nothing and a problem can unfold it. */
export function FormSection({ id, title, hint, summary, changed, folded, children }: Props) {
  return (
    <details className="fsec" id={`section-${id}`} open={!folded}>
      <summary>
        <IconChevronRight size={14} className="fsec-twist" aria-hidden />
        <h2>{title}</h2>
        {summary && <span className="t3 ell fs12 fsec-sum">{summary}</span>}
        {changed && <span className="tag changed">changed</span>}
      </summary>
      <div className="fsec-body">
        {hint && <p className="fsec-hint">{hint}</p>}
        {children}
      </div>
    </details>
  );
}
