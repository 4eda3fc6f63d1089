import { useMemo } from "react";
import { CodeBox } from "@/components/runs/inspector/code-box";
import { ContextMeter } from "@/components/runs/inspector/context-meter";
import { JsonText, JsonView } from "@/components/runs/inspector/json-view";
import { bytesOf, Fold } from "@/components/runs/inspector/part";
import { StepText, StepTextPart } from "@/components/runs/inspector/step-text";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { MessageView, ModelCall, StepDetail, StepInput, StepTextInput } from "@/server/runs/step-schema";

type Request = NonNullable<StepDetail["request"]>;
const ROLE_WORDS: Record<MessageView["role"], string> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
};

/** The first is the agent's instructions; another stands for what was condensed. */
const SYSTEM_WORDS = ["System, exactly as sent", "Summary of earlier messages, exactly as sent"];

type Props = {
  request: Request;
  /** Undefined until it is read. */
  record: ModelCall | undefined;
  place: StepInput;
};

/** The exact request of a model call: what filled it, then every part as it was sent. */
export function ModelRequestView({ request, record, place }: Props) {
  const all = request.messages.map((message, at) => ({ message, at, part: `request.messages.${at}` }));
  const messages = all.filter(({ message }) => message.role !== "system");
  const system = all.filter(({ message }) => message.role === "system");
  return (
    <>
      <ContextMeter request={request} record={record} />
      {request.isCleaned && (
        <Note tone="info">
          What this workspace hides today, secrets and personal data, is left out here. Calls made since it is hidden
          were sent exactly this; those made before had it in them.
        </Note>
      )}
      {system.map(({ message, part }, nth) => (
        <StepTextPart
          key={part}
          title={SYSTEM_WORDS[Math.min(nth, 1)]}
          source={{ text: message.content ?? "", cut: message.cut, place: { ...place, part } }}
          what="system message"
        >
          {(text) => <CodeBox>{text}</CodeBox>}
        </StepTextPart>
      ))}
      <section>
        <h3 className="section-label">{formatPlural(messages.length, "message")}</h3>
        <div className="folds">
          {messages.map(({ message, at, part }) => (
            <MessageFold key={part} message={message} place={{ ...place, part }} open={at === all.length - 1} />
          ))}
        </div>
      </section>
      {request.tools.length > 0 && (
        <section>
          <h3 className="section-label">{formatPlural(request.tools.length, "tool")} offered</h3>
          <div className="folds">
            {request.tools.map((tool, at) => (
              <ToolFold key={tool.name} tool={tool} place={{ ...place, part: `request.tools.${at}` }} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

type Tool = Request["tools"][number];

function ToolFold({ tool, place }: { tool: Tool; place: StepTextInput }) {
  const text = JSON.stringify(tool);
  return (
    <Fold
      title={<span className="mono">{tool.name}</span>}
      note={tool.description}
      size={tool.cut?.bytes ?? bytesOf(text)}
    >
      <StepText source={{ text, cut: tool.cut, place }} what="tool">
        {(json) => <ToolSpec json={json} />}
      </StepText>
    </Fold>
  );
}

function ToolSpec({ json }: { json: string }) {
  const { description, parameters } = useMemo(() => JSON.parse(json) as Tool, [json]);
  return (
    <>
      <p className="prewrap">{description}</p>
      <JsonView value={parameters} />
    </>
  );
}

function MessageFold({ message, place, open }: { message: MessageView; place: StepTextInput; open: boolean }) {
  const text = message.content ?? "";
  const called = message.calls.map((call) => call.name).join(", ");
  return (
    <Fold
      title={ROLE_WORDS[message.role]}
      note={text || (called && `calls ${called}`)}
      size={
        (message.cut?.bytes ?? bytesOf(text)) +
        message.calls.reduce((sum, call) => sum + (call.cut?.bytes ?? bytesOf(call.arguments)), 0)
      }
      open={open}
    >
      <MessageContent message={message} place={place} />
    </Fold>
  );
}

/** Text and calls of one message, as they were. */
function MessageContent({ message, place }: { message: MessageView; place: StepTextInput }) {
  const { content, cut, role, calls } = message;
  return (
    <>
      {content !== null && (
        <StepText source={{ text: content, cut, place }} what="message">
          {(text) => (role === "tool" ? <JsonText text={text} /> : <CodeBox>{text}</CodeBox>)}
        </StepText>
      )}
      {calls.map((call, at) => (
        <StepTextPart
          key={call.id}
          title={<span className="mono">{call.name}</span>}
          source={{
            text: call.arguments,
            cut: call.cut,
            place: { ...place, part: `${place.part}.calls.${at}` },
          }}
          what="arguments"
        >
          {(text) => (
            <>
              {call.isRewritten && (
                <p className="t3">Sent in this form: what the model had written is no JSON, which providers refuse.</p>
              )}
              <JsonText text={text} />
            </>
          )}
        </StepTextPart>
      ))}
    </>
  );
}
