/** In place of a number that no provider told. */
export function Untold() {
  return (
    <span className="t3" title="Not told">
      —<span className="sr"> not told</span>
    </span>
  );
}
