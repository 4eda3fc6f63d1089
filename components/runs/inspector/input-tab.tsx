import { CodeBox } from "@/components/runs/inspector/code-box";
import { JsonText } from "@/components/runs/inspector/json-view";
import { Loaded } from "@/components/runs/inspector/loaded";
import { ModelRequestView } from "@/components/runs/inspector/model-request";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { Part } from "@/components/runs/inspector/part";
import { StepTextPart } from "@/components/runs/inspector/step-text";
import { useAgentDetail, useModelCall, useStepTexts } from "@/components/runs/inspector/use-detail";
import { Note } from "@/components/ui/note";
import type { AgentRow, RequestView } from "@/server/engine/events";

/** What it was given: an agent its task, a model its exact request, a tool its arguments, a person the question. */
export function InputTab({ state, node }: TabProps) {
  const { item } = node;
  if (item.type === "agent") return <AgentInput runId={state.run.id} agent={item.agent} />;
  if (item.type === "decision") return null;
  if (item.kind === "human" && item.request) return <Question request={item.request} />;
  if (!item.step) {
    if (item.request?.call) {
      return (
        <Part title="Arguments" copy={item.request.call.arguments} what="arguments">
          <JsonText text={item.request.call.arguments} />
        </Part>
      );
    }
    return (
      <Note tone="info">What was sent is recorded together with the result. It appears here when the step ends.</Note>
    );
  }
  return <StepInput runId={state.run.id} agentRunId={item.agentRunId} position={item.position} />;
}

/** What a recorded step was given: arguments, or the exact request. */
export function StepInput(place: { runId: string; agentRunId: string; position: number }) {
  const query = useStepTexts(place);
  const { data: record } = useModelCall(place, Boolean(query.data?.request));
  return (
    <Loaded query={query} what="Input">
      {({ request, call }) => {
        if (!request && !call) {
          return <Note tone="info">Nothing was sent: the step ended before it began its call.</Note>;
        }
        return (
          <>
            {call && (
              <StepTextPart
                title="Arguments, as the model wrote them"
                source={{ text: call.arguments, cut: call.argumentsCut, place: { ...place, part: "call.arguments" } }}
                what="arguments"
              >
                {(text) => <JsonText text={text} />}
              </StepTextPart>
            )}
            {/* Of a tool call: what the model was sent that condensed its result. */}
            {request && <ModelRequestView request={request} record={record} place={place} />}
          </>
        );
      }}
    </Loaded>
  );
}

function AgentInput({ runId, agent }: { runId: string; agent: AgentRow }) {
  const query = useAgentDetail({ runId, agentRunId: agent.id }, agent.status);
  return (
    <>
      <Part title="Task given" copy={agent.task} what="task">
        <CodeBox>{agent.task}</CodeBox>
      </Part>
      <Loaded query={query} what="Instructions">
        {({ instructions }) => (
          <Part title="Instructions" copy={instructions} what="instructions">
            <CodeBox>{instructions}</CodeBox>
          </Part>
        )}
      </Loaded>
    </>
  );
}

function Question({ request }: { request: RequestView }) {
  return (
    <>
      <Part title="Question" copy={request.prompt} what="question">
        <p className="prewrap">{request.prompt}</p>
      </Part>
      {request.options.length > 0 && (
        <section>
          <h3 className="section-label">Options offered</h3>
          <div className="opts">
            {request.options.map((option) => (
              <div key={option.value} className="opt plain">
                <span className="b">{option.label}</span>
                {option.description && <span className="seen">{option.description}</span>}
              </div>
            ))}
          </div>
        </section>
      )}
    </>
  );
}
