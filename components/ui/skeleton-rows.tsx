import { Skeleton } from "@mantine/core";

type Props = {
  rows?: number;
  /** Widths of the cells, as CSS lengths or "1fr": give them the shape of what is loading. */
  columns: readonly string[];
  rowHeight?: number;
  /** What is loading, for screen readers: "Loading runs". */
  label: string;
};

/** Rows that keep the shape of a list while it loads. Invisible for the first 300 ms: most loads end sooner. */
export function SkeletonRows({ rows = 6, columns, rowHeight = 32, label }: Props) {
  return (
    <div className="skeleton-rows" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders without identity
          key={row}
          className="skeleton-row"
          style={{ height: rowHeight, gridTemplateColumns: columns.join(" ") }}
        >
          {columns.map((_column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders without identity
            <Skeleton key={index} height={10} radius="sm" width={`${60 + ((row * 17 + index * 29) % 36)}%`} />
          ))}
        </div>
      ))}
    </div>
  );
}
