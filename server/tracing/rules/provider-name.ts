/** Hosts whose provider has a name in the conventions. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)api\.openai\.com$/, "openai"],
  [/\.openai\.azure\.com$/, "azure.ai.openai"],
  [/\.services\.ai\.azure\.com$/, "azure.ai.inference"],
  [/(^|\.)anthropic\.com$/, "anthropic"],
  [/^generativelanguage\.googleapis\.com$/, "gcp.gemini"],
  [/aiplatform\.googleapis\.com$/, "gcp.vertex_ai"],
  [/\.amazonaws\.com$/, "aws.bedrock"],
  [/(^|\.)cohere\.(ai|com)$/, "cohere"],
  [/(^|\.)deepseek\.com$/, "deepseek"],
  [/(^|\.)groq\.com$/, "groq"],
  [/(^|\.)mistral\.ai$/, "mistral_ai"],
  [/(^|\.)perplexity\.ai$/, "perplexity"],
  [/(^|\.)x\.ai$/, "x_ai"],
];

/** `gen_ai.provider.name`: as the conventions call whoever serves that host, else as the workspace calls the provider. */
export function providerName(name: string, host: string | null): string {
  const asked = host ?? name.replace(/:\d+$/, "");
  return KNOWN.find(([pattern]) => pattern.test(asked))?.[1] ?? name;
}
