import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";

const ICONS = { warn: IconAlertTriangle, bad: IconCircleX, info: IconInfoCircle };

/** One sentence that stays: a warning, a failure, a hint. */
export function Note({ tone, children, role }: { tone: "warn" | "bad" | "info"; children: ReactNode; role?: "alert" }) {
  const Glyph = ICONS[tone];
  return (
    <div className={`note ${tone}`} role={role}>
      <Glyph size={16} stroke={1.75} aria-hidden />
      <div className="grow">{children}</div>
    </div>
  );
}
