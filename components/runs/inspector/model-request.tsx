import { CodeBox } from "@/components/runs/inspector/code-box";
import { ContextMeter } from "@/components/runs/inspector/context-meter";
import { JsonText, JsonView } from "@/components/runs/inspector/json-view";
import { bytesOf, Fold, Part } from "@/components/runs/inspector/part";
import { formatPlural } from "@/components/ui/format";
import type { MessageView, ModelCall, StepDetail } from "@/server/runs/schema";

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
export function ModelRequestView({ request, record }: { request: Request; record: ModelCall | undefined }) {
  const messages = request.messages.filter((message) => message.role !== "system");
  const system = request.messages.filter((message) => message.role === "system");
  return (
    <>
      <ContextMeter request={request} record={record} />
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
