"use client";

import type { ProviderView } from "@/server/providers/schema";
import { ModelRow } from "./model-row";

/** The models of one provider that this workspace may use. */
export function ModelTable({ provider }: { provider: ProviderView }) {
  return (
    <table className="table cards edge models">
      <thead>
        <tr>
          <th>Model</th>
          <th>For</th>
          <th className="num">Context</th>
          <th className="num">In, per million tokens</th>
          <th className="num">Out, per million tokens</th>
          <th>
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {provider.models.map((model) => (
          <ModelRow key={model.id} provider={provider} model={model} />
        ))}
      </tbody>
    </table>
  );
}
