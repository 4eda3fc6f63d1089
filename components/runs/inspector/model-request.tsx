import { CodeBox } from "@/components/runs/inspector/code-box";
import { JsonText, JsonView } from "@/components/runs/inspector/json-view";
import { bytesOf, Fold, Part } from "@/components/runs/inspector/part";
import { formatBytes, formatPlural } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import type { MessageView, StepDetail } from "@/server/runs/schema";

type Request = NonNullable<StepDetail["request"]>;
const ROLE_WORDS: Record<MessageView["role"], string> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
};

/** The first is the agent's instructions; another stands for what was condensed. */
const SYSTEM_WORDS = ["System, exactly as sent", "Summary of earlier messages, exactly as sent"];

/** The exact request of a model call: what filled it, then every part as it was sent. */
export function ModelRequestView({ request }: { request: Request }) {
  const parts = partsOf(request);
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const messages = request.messages.filter((message) => message.role !== "system");
  const system = request.messages.filter((message) => message.role === "system");
  return (
    <>
      <section>
        <div className="row between">
          <span className="b">{formatBytes(total)} sent</span>
          <span className="t3 fs12">
            <span className="mono">{request.model}</span>
            {request.temperature !== null && `, temperature ${request.temperature}`}
          </span>
        </div>
        <div className="meter-wrap">
          <Meter label="What was sent, by part" height={10} max={total} parts={parts} />
        </div>
        <ul className="legend-list">
          {parts.map((part) => (
            <li key={part.name}>
              <i style={{ background: part.color }} />
              <span>{part.name}</span>
              <span className="num t2">{formatBytes(part.value)}</span>
              <span className="num t3">{total === 0 ? 0 : Math.round((part.value / total) * 100)} %</span>
            </li>
          ))}
        </ul>
      </section>
      {system.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are append-only, their place is their name
        <Part key={at} title={SYSTEM_WORDS[Math.min(at, 1)]} copy={message.content ?? ""} what="system message">
          <CodeBox>{message.content}</CodeBox>
        </Part>
      ))}
      <section>
        <h3 className="section-label">{formatPlural(messages.length, "message")}</h3>
        <div className="folds">
          {messages.map((message, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are append-only, their place is their name
            <MessageFold key={at} message={message} open={at === messages.length - 1} />
          ))}
        </div>
      </section>
      {request.tools.length > 0 && (
        <section>
          <h3 className="section-label">{formatPlural(request.tools.length, "tool")} offered</h3>
          <div className="folds">
            {request.tools.map((tool) => (
              <Fold
                key={tool.name}
                title={<span className="mono">{tool.name}</span>}
                note={tool.description}
                size={bytesOf(JSON.stringify(tool))}
              >
                <p className="prewrap">{tool.description}</p>
                <JsonView value={tool.parameters} />
              </Fold>
            ))}
          </div>
        </section>
      )}
    </>
  );
}

function MessageFold({ message, open }: { message: MessageView; open: boolean }) {
  const text = message.content ?? "";
  const called = message.calls.map((call) => call.name).join(", ");
  return (
    <Fold
      title={ROLE_WORDS[message.role]}
      note={text || (called && `calls ${called}`)}
      size={bytesOf(text) + message.calls.reduce((sum, call) => sum + bytesOf(call.arguments), 0)}
      open={open}
    >
      <MessageContent message={message} />
    </Fold>
  );
}

/** Text and calls of one message, as they were. */
export function MessageContent({ message }: { message: MessageView }) {
  return (
    <>
      {message.content !== null &&
        (message.role === "tool" ? <JsonText text={message.content} /> : <CodeBox>{message.content}</CodeBox>)}
      {message.calls.map((call) => (
        <Part key={call.id} title={<span className="mono">{call.name}</span>} copy={call.arguments} what="arguments">
          <JsonText text={call.arguments} />
        </Part>
      ))}
    </>
  );
}

function partsOf(request: Request) {
  const sum = (role: MessageView["role"]) =>
    request.messages
      .filter((message) => message.role === role)
      .reduce(
        (bytes, message) =>
          bytes +
          bytesOf(message.content ?? "") +
          message.calls.reduce((all, call) => all + bytesOf(call.arguments), 0),
        0,
      );
  const tools = request.tools.reduce((bytes, tool) => bytes + bytesOf(JSON.stringify(tool)), 0);
  return [
    { name: "System", value: sum("system"), color: "var(--k-agent)" },
    { name: "Tool definitions", value: tools, color: "var(--bar-tool)" },
    { name: "Task and answers of people", value: sum("user"), color: "var(--bar-waiting)" },
    { name: "What it said before", value: sum("assistant"), color: "var(--bar-model)" },
    { name: "Tool results", value: sum("tool"), color: "var(--bar-retrieval)" },
  ].filter((part) => part.value > 0);
}
