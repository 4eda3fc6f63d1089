import { daysFrom } from "./days-from";
import { dayWord } from "./spending-words";

type Props = {
  title: string;
  days: { from: string; to: string };
  /** What the bars are made of, from below; each with its word where there is more than one. */
  parts: readonly { word: string; color: string }[];
  /** Of the days that have something, a value for each part. */
  bars: readonly { day: string; values: readonly number[] }[];
  format: (value: number) => string;
  /** Said where there is nothing to draw. */
  nothing: string;
};

/** One bar a day, the highest as high as the chart. A picture: the same numbers stand in the list by day. */
export function DayChart({ title, days, parts, bars, format, nothing }: Props) {
  const byDay = new Map(bars.map(({ day, values }) => [day, values]));
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const highest = bars.reduce<(typeof bars)[number] | null>(
    (most, bar) => (sumOf(bar.values) > (most ? sumOf(most.values) : 0) ? bar : most),
    null,
  );
  if (highest === null) {
    return (
      <figure className="day-chart">
        <figcaption className="section-label">{title}</figcaption>
        <p className="t3 fs12">{nothing}</p>
      </figure>
    );
  }
  const most = sumOf(highest.values);
  const words = (day: string, values: readonly number[]) => {
    let sum = 0;
    const said = parts.map(({ word }, n) => {
      sum += values[n] ?? 0;
      return parts.length > 1 ? `${word} ${format(sum)}` : format(sum);
    });
    return `${dayWord(day)}: ${said.join(", ")}`;
  };
  return (
    <figure className="day-chart">
      <figcaption className="section-label">
        {title}
        {parts.length > 1 &&
          parts.map(({ word, color }) => (
            <span key={word} className="day-chart-part">
              <i style={{ background: color }} aria-hidden />
              {word}
            </span>
          ))}
      </figcaption>
      <div
        className="day-chart-bars"
        role="img"
        aria-label={`${title}. The most on ${words(highest.day, highest.values)}`}
      >
        {daysFrom(days).map((day) => {
          const values = byDay.get(day);
          return (
            <span key={day} className="day-chart-day" title={values ? words(day, values) : `${dayWord(day)}: none`}>
              {values?.map((value, n) => (
                <span
                  key={parts[n]?.word}
                  style={{ height: `${(100 * value) / most}%`, background: parts[n]?.color }}
                />
              ))}
            </span>
          );
        })}
      </div>
      <div className="day-chart-axis t3 fs11" aria-hidden>
        <span>{dayWord(days.from)}</span>
        <span>at most {format(most)}</span>
        <span>{dayWord(days.to)}</span>
      </div>
    </figure>
  );
}
