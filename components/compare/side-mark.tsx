export type SideName = "A" | "B";

/** Which of both runs something is of. */
export function SideMark({ side }: { side: SideName }) {
  return (
    <span className="side-mark">
      <span className="sr">Run </span>
      {side}
    </span>
  );
}
