/** Names of the semantic conventions for generative AI, version 1.41.0: all attributes of the registry under `gen_ai`. */
export const GEN_AI_ATTRIBUTES: ReadonlySet<string> = new Set([
  "gen_ai.agent.description",
  "gen_ai.agent.id",
  "gen_ai.agent.name",
  "gen_ai.agent.version",
  "gen_ai.conversation.id",
  "gen_ai.data_source.id",
  "gen_ai.embeddings.dimension.count",
  "gen_ai.evaluation.explanation",
  "gen_ai.evaluation.name",
  "gen_ai.evaluation.score.label",
  "gen_ai.evaluation.score.value",
  "gen_ai.input.messages",
  "gen_ai.operation.name",
  "gen_ai.output.messages",
  "gen_ai.output.type",
  "gen_ai.prompt.name",
  "gen_ai.provider.name",
  "gen_ai.request.choice.count",
  "gen_ai.request.encoding_formats",
  "gen_ai.request.frequency_penalty",
  "gen_ai.request.max_tokens",
  "gen_ai.request.model",
  "gen_ai.request.presence_penalty",
  "gen_ai.request.seed",
  "gen_ai.request.stop_sequences",
  "gen_ai.request.stream",
  "gen_ai.request.temperature",
  "gen_ai.request.top_k",
  "gen_ai.request.top_p",
  "gen_ai.response.finish_reasons",
  "gen_ai.response.id",
  "gen_ai.response.model",
  "gen_ai.response.time_to_first_chunk",
  "gen_ai.retrieval.documents",
  "gen_ai.retrieval.query.text",
  "gen_ai.system_instructions",
  "gen_ai.token.type",
  "gen_ai.tool.call.arguments",
  "gen_ai.tool.call.id",
  "gen_ai.tool.call.result",
  "gen_ai.tool.definitions",
  "gen_ai.tool.description",
  "gen_ai.tool.name",
  "gen_ai.tool.type",
  "gen_ai.usage.cache_creation.input_tokens",
  "gen_ai.usage.cache_read.input_tokens",
  "gen_ai.usage.input_tokens",
  "gen_ai.usage.output_tokens",
  "gen_ai.usage.reasoning.output_tokens",
  "gen_ai.workflow.name",
]);

/** Values they enumerate, of `gen_ai.operation.name`. */
export const OPERATION_NAMES: readonly string[] = [
  ...["chat", "generate_content", "text_completion", "embeddings", "retrieval"],
  ...["create_agent", "invoke_agent", "execute_tool", "invoke_workflow"],
];

/** Of `gen_ai.tool.type`. */
export const TOOL_TYPES: readonly string[] = ["function", "extension", "datastore"];

/** Of messages in `gen_ai.input.messages` and `gen_ai.output.messages`: roles, types of parts, why a reply ended. */
export const ROLES: readonly string[] = ["system", "user", "assistant", "tool"];
export const PART_TYPES: readonly string[] = [
  ...["text", "reasoning", "tool_call", "tool_call_response", "server_tool_call", "server_tool_call_response"],
  ...["blob", "file", "uri"],
];
export const FINISH_REASONS: readonly string[] = ["stop", "length", "content_filter", "tool_call", "error"];
