type Part = { value: number; color: string };

/** A horizontal meter. The words beside it carry the meaning, the bar only the proportion. */
export function Meter({
  parts,
  max,
  height = 6,
  label,
}: {
  parts: readonly Part[];
  max: number;
  height?: number;
  label: string;
}) {
  return (
    <div className="meter" style={{ height }} role="img" aria-label={label}>
      {parts.map((part) => (
        <span
          key={part.color}
          style={{ width: `${max > 0 ? Math.min(100, (part.value / max) * 100) : 0}%`, background: part.color }}
        />
      ))}
    </div>
  );
}
