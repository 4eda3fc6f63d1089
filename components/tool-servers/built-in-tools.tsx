"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** The tools that come with Troupe. */
export function BuiltInTools() {
  const trpc = useTRPC();
  const { data: tools } = useSuspenseQuery(trpc.agents.tools.queryOptions());
  return (
    <ul className="tool-list">
      {tools
        .filter(({ source }) => source === "built-in")
        .map(({ name, title, description, writes }) => (
          <li key={name} className="tool-item">
            <div className="tool-words">
              <span className="b">{title}</span> <span className="mono t3">{name}</span>{" "}
              {writes && <span className="tag">writes</span>}
              <p className="t2">{description}</p>
            </div>
          </li>
        ))}
    </ul>
  );
}
