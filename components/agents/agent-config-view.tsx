"use client";

import { useQuery } from "@tanstack/react-query";
import { spendWords } from "@/components/runs/spend-words";
import { useTRPC } from "@/components/trpc/client";
import { formatPlural } from "@/components/ui/format";
import type { AgentConfig } from "@/server/agents/schema";
import {
  compactionWords,
  condensingWords,
  contextWords,
  deadlineWords,
  escalationWords,
  guardWords,
  publishingWords,
  summaryOf,
  todoWords,
  toolPolicyWords,
} from "./setting-words";

/** A configuration to read. */
export function AgentConfigView({ config }: { config: AgentConfig }) {
  const trpc = useTRPC();
  const bases = useQuery({ ...trpc.knowledge.bases.queryOptions(), enabled: config.knowledge.length > 0 });
  const baseName = (id: string) => bases.data?.find((base) => base.id === id)?.name ?? "a base that was deleted";
  const tools = config.tools.map((tool) => (config.askBefore.includes(tool) ? `${tool} (asks first)` : tool));
  const spend = spendWords(config);
  const { continuationPrompt, compaction } = config;
  return (
    <dl className="kept-version">
      <Fact word="Purpose">{config.purpose || "None"}</Fact>
      <Fact word="Model">
        {config.model ?? "Workspace default"}
        {config.temperature !== null && `, temperature ${config.temperature}`}
      </Fact>
      <Unusual
        word="Stand-in"
        words={config.fallbackModel && `${config.fallbackModel}, when its model cannot answer`}
      />
      <Text word="Instructions">{config.instructions}</Text>
      <Fact word="Tools">{tools.join(", ") || "None"}</Fact>
      <Unusual word="When tools fail" words={toolPolicyWords(config)} />
      <Fact word="Knowledge">{config.knowledge.map(baseName).join(", ") || "None"}</Fact>
      <Fact word="Team">
        {config.canSpawnAgents
          ? `May lead other agents: ${config.maxConcurrentAgents} at once, ${config.maxAgentDepth} deep`
          : "Leads nobody"}
      </Fact>
      <Fact word="Spending, one agent run">{spend ? `At most ${spend}` : "No limit"}</Fact>
      <Fact word="Longest reply">
        {config.maxOutputTokens === null
          ? "As the provider allows"
          : `At most ${formatPlural(config.maxOutputTokens, "token")}`}
      </Fact>
      <Fact word="Tool rounds">{String(config.maxToolRounds)}</Fact>
      <Unusual word="Results of its agents" words={config.canSpawnAgents ? condensingWords(config) : null} />
      <Unusual word="Todo list" words={todoWords(config)} />
      {config.autoContinue && continuationPrompt !== null && (
        <Text word="Told when it is sent on">{continuationPrompt}</Text>
      )}
      <Unusual word="What its run is about" words={contextWords(config)} />
      <Unusual word="Events of its own" words={publishingWords(config)} />
      <Unusual word="Its questions" words={escalationWords(config)} />
      <Unusual word="Time to answer" words={deadlineWords(config)} />
      <Unusual word="Repeated calls" words={guardWords(config)} />
      <Unusual word="Long conversations" words={compactionWords(config)} />
      {compaction.enabled && compaction.prompt !== null && (
        <Text word="Told to the model that condenses">{compaction.prompt}</Text>
      )}
    </dl>
  );
}

function Fact({ word, children }: { word: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Text({ word, children }: { word: string; children: string }) {
  return (
    <div>
      <dt>{word}</dt>
      <dd>
        <pre className="code">{children}</pre>
      </dd>
    </div>
  );
}

/** A setting that is told only where it is not as usual. */
function Unusual({ word, words }: { word: string; words: string | null }) {
  return words === null ? null : <Fact word={word}>{summaryOf([words], "")}</Fact>;
}
