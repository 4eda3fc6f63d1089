/** What a person does about an error, by the code its step keeps, else by its category (AGT-ERR-03, AGT-ERR-09). */
export function adviceFor({ code, category }: { code: string; category?: string | undefined }): string | null {
  return BY_CODE[code] ?? (category === undefined ? null : (BY_CATEGORY[category] ?? null));
}

const BY_CODE: Record<string, string> = {
  rate_limited:
    "The provider wants fewer calls. Set a rate limit for it under Models, or ask for a higher quota there.",
  overloaded: "The model has too much to do. Try again later, or name a model that stands in.",
  unavailable: "The provider has a problem of its own. Try again later, or name a model that stands in.",
  unreachable: "Check that the server runs and that its address is right.",
  connection_lost: "The connection broke. Try again; if it happens often, look at the network in between.",
  timeout: "It took too long. Allow it more time, or ask for less at once.",
  unauthorized: "The key is wrong or has ended. An owner can enter another under Models.",
  unknown_model: "Choose another model, or add this one to its provider under Models.",
  content_filtered: "The provider refuses such content. Word the task differently, or use another model.",
  context_too_long:
    "The conversation is too long for the model. Let it be condensed earlier, or choose one that takes more.",
  tools_unsupported: "Choose a model that can call tools, or take the agent's tools away.",
  capability_missing: "Choose a model that can do what was asked.",
  bad_request: "The provider refused the request as it was. Its words say why.",
  malformed_reply: "What came back could not be read. Try again, or use another model.",
  malformed_arguments:
    "The model wrote arguments the tool cannot read. It was told; a stronger model does so less often.",
  no_answer: "Nobody answered in time. Allow more time for answers, or assign the question to somebody.",
  repeated_call: "The agent made the same call again and again. It was told; clearer instructions help.",
  not_allowed: "A person or a rule did not allow the call.",
  outcome_unknown: "Look at the far side to see whether it happened before you have it done again.",
  breaker_open: "It failed too often and is left alone for a while. Mend the far side; it is tried again by itself.",
  bulkhead_full: "Too many calls were under way. Allow more at once, or more time to wait.",
  rate_exceeded: "The rate that was set is used up. Allow more calls, or more time to wait.",
  budget_exhausted: "Give the agent, the run or the workspace a higher limit.",
};

const BY_CATEGORY: Record<string, string> = {
  NETWORK: "The far side could not be reached. It may pass by itself; a policy with retries helps.",
  SERVER_ERROR: "The far side has a problem of its own. It may pass by itself; a policy with retries helps.",
  MCP: "The tool server says that the call failed. Its words say why.",
  PARAMETER: "The arguments were wrong. The agent was told and may correct them.",
  VALIDATION: "The call was against a rule. The agent was told and may correct it.",
  INVOCATION: "There is no such tool. Check what the agent may call.",
  CLIENT_ERROR: "The far side refused the call. Its words say why.",
};
