import { IconAlertTriangle, IconCircleX, IconInfoCircle, IconPlayerPause } from "@tabler/icons-react";
import type { ReactNode } from "react";

const ICONS = { warn: IconAlertTriangle, bad: IconCircleX, info: IconInfoCircle, held: IconPlayerPause };

type Props = {
  tone: keyof typeof ICONS;
  children: ReactNode;
  role?: "alert";
  /** At its end: a way to copy it, or out of it. */
  aside?: ReactNode;
};

/** One sentence that stays: a warning, a failure, a hint, why something stands still. */
export function Note({ tone, children, role, aside }: Props) {
  const Glyph = ICONS[tone];
  return (
    <div className={`note ${tone}`} role={role}>
      <Glyph size={16} stroke={1.75} aria-hidden />
      <div className="grow">{children}</div>
      {aside && <div className="note-aside">{aside}</div>}
    </div>
  );
}
