/** What a tool's result may be long, in characters; the rest is cut off. Tool servers' results are bounded before. */
const LONGEST = 200_000;

export type ResultText = { content: string; error?: { code: string; message: string } };

/**
 * A call's value as the model is sent it: JSON, text as `{ output }`, nothing as done (LOK-TOOL-08). What is too long is cut, and
 * says so. What cannot be written as JSON (a value that holds itself, a BigInt) is an error for the model, never for the run.
 */
export function resultText(value: unknown): ResultText {
  if (isNothing(value)) return { content: '{"output":"done"}' };
  let json: string | undefined;
  try {
    json = JSON.stringify(typeof value === "string" ? { output: value } : value);
  } catch (error) {
    const message = `The tool's result cannot be written as JSON: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`;
    return { content: JSON.stringify({ tool_call_error: message }), error: { code: "unusable_result", message } };
  }
  // Not all there is has a form in JSON.
  if (json === undefined) return resultText(undefined);
  if (json.length <= LONGEST) return { content: json };
  const text = typeof value === "string" ? value : json;
  return {
    content: JSON.stringify({
      output: text.slice(0, LONGEST),
      cut: `The result has ${text.length} characters; only the first ${LONGEST} are here. Ask for less at a time.`,
    }),
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
