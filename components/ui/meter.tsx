type Part = { value: number; color: string };

/** A horizontal meter. The words beside it carry the meaning, the bar only the proportion. */
export function Meter({
  parts,
  max,
  height = 6,
  label,
  valueText,
}: {
  parts: readonly Part[];
  max: number;
  height?: number;
  label: string;
  /** Of something that is measured against `max`: how it stands, in words. Without it the bar is a picture. */
  valueText?: string;
}) {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const role =
    valueText === undefined
      ? { role: "img", "aria-label": label }
      : {
          role: "meter",
          "aria-label": label,
          "aria-valuemin": 0,
          "aria-valuemax": max,
          "aria-valuenow": Math.min(total, max),
          "aria-valuetext": valueText,
        };
  return (
    <div className="meter" style={{ height }} {...role}>
      {parts.map((part) => (
        <span
          key={part.color}
          style={{ width: `${max > 0 ? Math.min(100, (part.value / max) * 100) : 0}%`, background: part.color }}
        />
      ))}
    </div>
  );
}
