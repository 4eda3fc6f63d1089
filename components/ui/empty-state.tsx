import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

type Props = { icon?: Icon; title: string; children?: ReactNode; action?: ReactNode };

/** What this is, one sentence, one action. */
export function EmptyState({ icon: Glyph, title, children, action }: Props) {
  return (
    <div className="empty">
      {Glyph && <Glyph className="empty-icon" size={24} stroke={1.5} aria-hidden />}
      <p className="b">{title}</p>
      {children && <p className="t2 empty-text">{children}</p>}
      {action}
    </div>
  );
}
