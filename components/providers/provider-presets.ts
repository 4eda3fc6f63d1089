/** Endpoints people use, with the address and name to begin from. `key` says where a key comes from; null: none needed. */
export type ProviderPreset = { name: string; label: string; baseUrl: string; key: string | null };

export const OTHER = "other";

export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  { name: "openai", label: "OpenAI", baseUrl: "https://api.openai.com/v1", key: "sk-…" },
  { name: "openrouter", label: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1", key: "sk-or-…" },
  { name: "groq", label: "Groq", baseUrl: "https://api.groq.com/openai/v1", key: "gsk_…" },
  { name: "mistral", label: "Mistral", baseUrl: "https://api.mistral.ai/v1", key: "" },
  { name: "deepseek", label: "DeepSeek", baseUrl: "https://api.deepseek.com", key: "sk-…" },
  { name: "together", label: "Together AI", baseUrl: "https://api.together.xyz/v1", key: "" },
  { name: "ollama", label: "Ollama", baseUrl: "http://localhost:11434/v1", key: null },
  { name: "lmstudio", label: "LM Studio", baseUrl: "http://localhost:1234/v1", key: null },
  { name: "llamacpp", label: "llama.cpp server", baseUrl: "http://localhost:8080/v1", key: null },
  { name: "vllm", label: "vLLM", baseUrl: "http://localhost:8000/v1", key: null },
];

/** For the menu, in two groups; everything else speaks the same protocol. */
export const PRESET_OPTIONS = [
  { group: "On the internet", items: optionsOf((preset) => preset.key !== null) },
  { group: "On your own machines", items: optionsOf((preset) => preset.key === null) },
  { group: "Anything else", items: [{ value: OTHER, label: "Another OpenAI-compatible endpoint" }] },
];

function optionsOf(fits: (preset: ProviderPreset) => boolean) {
  return PROVIDER_PRESETS.filter(fits).map(({ name, label }) => ({ value: name, label }));
}
