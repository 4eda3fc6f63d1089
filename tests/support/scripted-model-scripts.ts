import { libraryDesk } from "./scripted-library-desk";
import type { ChatMessage, ChatRequest, Script } from "./scripted-model";
import type { Answer, ScriptedCall } from "./scripted-model-wire";
import { talkers } from "./scripted-talkers";

/** A script by name, for the process that has only its command line. */
export function scriptNamed(name: string): Script | undefined {
  return { "research-desk": researchDesk, "library-desk": libraryDesk, markers, talkers }[name];
}

/**
 * Plays the demo team over any endpoint trouble: every stream is cut at awkward places, the supervisor's second call is
 * answered 429 once, and the writer's first answer breaks off half-way once.
 */
export const researchDesk: Script = (request, { step, attempt }) => {
  const isSupervisor = hasTool(request, "agent__spawn");
  if (isSupervisor && step === 1 && attempt === 0) {
    return { fault: "status", status: 429, headers: { "retry-after": "1" }, message: "Too many requests" };
  }
  const answer: Answer = { ...(isSupervisor ? supervise(request, step) : work(request, step)), cutting: "awkward" };
  if (!isSupervisor && !searchToolOf(request) && attempt === 0) return { fault: "drop", answer };
  return answer;
};

function supervise(request: ChatRequest, step: number): Answer {
  const task = firstOf(request, "user");
  const agents =
    request.tools?.find(({ function: { name } }) => name === "agent__spawn")?.function.parameters?.properties?.agent
      ?.enum ?? [];
  const member = (pattern: RegExp) => agents.find((agent) => pattern.test(agent)) ?? agents[0] ?? "searcher";
  const spawn = (agent: string, prompt: string, reason: string) => call("agent__spawn", { agent, prompt, reason });
  const results = lastResults(request);
  switch (step) {
    case 0:
      return {
        text: "Two agents can look at this side by side – naïvely put, two pairs of eyes 🔎.",
        calls: [
          spawn(member(/search/i), `Find passages for: ${task}`, "It finds passages in the documentation."),
          spawn(
            member(/fact|check/i),
            `Check what is documented about: ${task}`,
            "It checks claims against the documentation.",
          ),
        ],
      };
    case 1:
    case 4:
      return {
        calls: results.map((result) =>
          call("agent__collect", { id: field(result, "id"), reason: "Its result is needed." }),
        ),
      };
    case 2:
      return {
        calls: [
          call("user__ask", {
            question: "How detailed should the answer be?",
            options: ["Short", "Detailed"],
            reason: "The request does not say how detailed the answer should be.",
          }),
        ],
      };
    case 3: {
      const findings = toolMessages(request)
        .map((message) => field(message, "output"))
        .filter(Boolean)
        .join("\n");
      const prompt = `Write the answer to: ${task}\nThe reader wants: ${field(results[0], "answer")}\n${findings}`;
      return { calls: [spawn(member(/writ/i), prompt, "All findings are there to be written up.")] };
    }
    default:
      return { text: field(results[0], "output") || "No answer came back." };
  }
}

function work(request: ChatRequest, step: number): Answer {
  const task = firstOf(request, "user");
  const search = searchToolOf(request);
  if (search && step === 0) {
    const query = task.replace(/^[^:]*: /, "").slice(0, 200);
    return { text: "Searching…", calls: [call(search, { query, reason: "The documentation is the source." })] };
  }
  const source = search
    ? toolMessages(request)
        .map(({ content }) => content)
        .join("\n")
    : task;
  const marks = [...new Set(source.match(/\[[^\][\s"]+\]/g))].slice(0, 3);
  return { text: `Finished steps are kept and the run goes on – “déjà vu” is avoided ✓ ${marks.join(" ")}`.trim() };
}

function searchToolOf(request: ChatRequest): string | undefined {
  return ["knowledge_search", "docs__search"].find((name) => hasTool(request, name));
}

const MARKER = /\[\[(tools|delegate|stream|ask)=(\d+)(?:;(?:tools|gap)=(\d+))?\]\]/;
const FAULT = /\[\[fault=(429|500|hang|cut|badjson)x(\d+)\]\]/;

/**
 * Follows markers in the first user message, as the benchmark's mock model does:
 * `[[tools=K]]` K turns of one tool call, `[[delegate=N;tools=M]]` N children at once with M tool turns each,
 * `[[ask=Q]]` Q questions to a person, and their last answer at the end,
 * `[[stream=T;gap=G]]` T pieces of text G ms apart, `[[fault=KINDxN]]` the first N requests of the conversation fail.
 */
export const markers: Script = (request, { callNumber }) => {
  const task = firstOf(request, "user");
  const [, fault, times] = FAULT.exec(task) ?? [];
  if (fault && callNumber < Number(times)) return faultNamed(fault);
  const [, kind, first = "0", second = "0"] = MARKER.exec(task) ?? [];
  const done = toolMessages(request).length;
  const final = { text: `FINAL n=${done}` };
  if (kind === "stream") return { text: "<piece> ".repeat(Number(first)), gapMs: Number(second) };
  if (kind === "tools") return done < Number(first) ? { calls: [stepCall(request, done)] } : final;
  if (kind === "ask") {
    if (done < Number(first)) return { calls: [call("user__ask", { question: `Question ${done}?`, options: [] })] };
    return { text: `${final.text} ${field(toolMessages(request).at(-1), "answer")}` };
  }
  if (kind === "delegate") return delegate(request, Number(first), Number(second)) ?? final;
  return final;
};

function delegate(request: ChatRequest, children: number, tools: number): Answer | undefined {
  const done = toolMessages(request).length;
  // Only the words are handed down: a child with its parent's markers would delegate and fail in its turn.
  const own = firstOf(request, "user")
    .replace(/\[\[[^\]]*\]\]/g, "")
    .trim();
  const prompts = Array.from({ length: children }, (_, child) => `[[tools=${tools}]] child ${child} of ${own}`);
  const spawn = request.tools?.find(({ function: { name } }) => name === "agent__spawn");
  if (!spawn) return done < children ? { calls: prompts.map((task) => call("delegate", { task })) } : undefined;
  const agent = spawn.function.parameters?.properties?.agent?.enum?.[0] ?? "";
  if (done < children)
    return { calls: prompts.map((prompt) => call("agent__spawn", { agent, prompt, reason: "Scripted." })) };
  if (done >= 2 * children) return undefined;
  return {
    calls: lastResults(request).map((result) =>
      call("agent__collect", { id: field(result, "id"), reason: "Scripted." }),
    ),
  };
}

/** The tool `step`, or else the first that is not the engine's. */
function stepCall(request: ChatRequest, index: number): ScriptedCall {
  const tools = (request.tools ?? []).map((tool) => tool.function);
  const tool =
    tools.find(({ name }) => name === "step") ?? tools.find(({ name }) => !/^(agent|user|todo)__/.test(name));
  const properties = Object.keys(tool?.parameters?.properties ?? {});
  return call(tool?.name ?? "step", {
    ...(properties.length === 0 || properties.includes("i") ? { i: index } : {}),
    ...(properties.includes("query") ? { query: `part ${index}` } : {}),
    ...(properties.includes("reason") ? { reason: `Scripted step ${index}.` } : {}),
  });
}

function faultNamed(name: string): ReturnType<Script> {
  if (name === "429") return { fault: "status", status: 429, headers: { "retry-after": "0.1" } };
  if (name === "500") return { fault: "status", status: 500 };
  if (name === "hang") return { fault: "hang" };
  if (name === "cut")
    return { fault: "drop", answer: { text: "this answer breaks off before it has said anything of use" } };
  return { fault: "malformed" };
}

function hasTool(request: ChatRequest, name: string): boolean {
  return request.tools?.some((tool) => tool.function.name === name) ?? false;
}

function firstOf(request: ChatRequest, role: ChatMessage["role"]): string {
  return request.messages.find((message) => message.role === role)?.content ?? "";
}

function toolMessages(request: ChatRequest): ChatMessage[] {
  return request.messages.filter(({ role }) => role === "tool");
}

/** What the tools of the last turn answered, in the order they were called. */
function lastResults(request: ChatRequest): ChatMessage[] {
  const calls = request.messages.findLast(({ tool_calls }) => tool_calls)?.tool_calls ?? [];
  return calls.flatMap(({ id }) => request.messages.find(({ tool_call_id }) => tool_call_id === id) ?? []);
}

function field(message: ChatMessage | undefined, name: string): string {
  try {
    const value: unknown = (JSON.parse(message?.content ?? "{}") as Record<string, unknown>)[name];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

function call(name: string, args: Record<string, unknown>): ScriptedCall {
  return { name, arguments: args };
}
