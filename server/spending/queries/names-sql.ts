import { type Dimension, NONE } from "../schema";

/** The name of what a key stands for, as SQL, in the workspace $1; null where it has none of its own. */
export function nameOf(dimension: Dimension, key: string): string {
  const id = `nullif(${key}, '${NONE}')::uuid`;
  const named = (table: string, column: string) =>
    `(SELECT n.${column} FROM ${table} n WHERE n.workspace_id = $1 AND n.id = ${id})`;
  if (dimension === "agent") return named("agents", "name");
  if (dimension === "team") return named("teams", "name");
  if (dimension === "conversation") return named("conversations", "title");
  if (dimension === "run") return named("runs", "title");
  return "NULL::text";
}
