import type { Model, ModelDirectory } from "@/server/models/model";
import type { Tool, Toolbox } from "@/server/tools/tool";

/** Whatever is asked for, this model answers. */
export const onlyModel = (model: Model): ModelDirectory => ({ find: async () => model });

/** A toolbox with these tools and no others; a name it does not hold is missing. */
export function onlyTools(tools: ReadonlyMap<string, Tool>): Toolbox {
  return async ({ names }) => ({
    tools: new Map(
      names.flatMap((name) => {
        const tool = tools.get(name);
        return tool ? [[name, tool] as const] : [];
      }),
    ),
    missing: names.filter((name) => !tools.has(name)).map((name) => `There is no tool “${name}”.`),
    notes: [],
  });
}
