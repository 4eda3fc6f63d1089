import { CitedMarkdown } from "@/components/knowledge/cited-markdown";
import { withoutMarks } from "@/components/knowledge/passage-marks";
import { SaveAsKnowledge } from "@/components/knowledge/save-as-knowledge";
import { entryOfText } from "@/components/runs/entry-of-run";
import { JsonText, parse } from "@/components/runs/inspector/json-view";
import { Loaded } from "@/components/runs/inspector/loaded";
import { liveTextOf, type TabProps } from "@/components/runs/inspector/overview-tab";
import { bytesOf, Fold, Part } from "@/components/runs/inspector/part";
import { StepTextPart } from "@/components/runs/inspector/step-text";
import { useAgentDetail, useStepTexts } from "@/components/runs/inspector/use-detail";
import { requestOutcome } from "@/components/runs/run-labels";
import { textKey } from "@/components/runs/run-live-text";
import { agentKey } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { RunStreamingText } from "@/components/runs/run-streaming-text";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import type { AgentRow } from "@/server/engine/events";
import { isHeld, isTerminal } from "@/server/engine/state";
import type { StepDetail, StepInput } from "@/server/runs/step-schema";

/** What came back: live while it streams, from the record after. */
export function OutputTab({ state, node }: TabProps) {
  const { item } = node;
  const live = liveTextOf(state, node);
  if (live !== null) {
    const still = isHeld(node.status);
    return (
      <>
        {still ? <span className="t3 fs12">Written so far</span> : <span className="live-dot">Streaming</span>}
        <RunStreamingText text={live} label="Text being written" still={still} />
      </>
    );
  }
  if (item.type === "agent") return <AgentOutput state={state} agent={item.agent} />;
  if (item.type === "decision") return null;
  if (item.kind === "human" && item.request) {
    const outcome = requestOutcome(item.request);
    return outcome === null ? <Note tone="info">Nobody has answered yet.</Note> : <p className="prewrap">{outcome}</p>;
  }
  if (!item.step) return <Note tone="info">Nothing yet. The output appears here when the step ends.</Note>;
  return <StepOutput run={state.run} agentRunId={item.agentRunId} position={item.position} />;
}

/** Whose steps they are, and which marks in their texts open a passage. */
type Cited = Pick<RunState["run"], "id" | "citations">;

/** What came back from a recorded step. */
export function StepOutput({ run, agentRunId, position }: { run: Cited; agentRunId: string; position: number }) {
  const place = { runId: run.id, agentRunId, position };
  const query = useStepTexts(place);
  return (
    <Loaded query={query} what="Output">
      {(detail) => (
        <>
          {detail.step.error && (
            <Note tone="bad">
              <span className="b block">{detail.step.error.message}</span>
              <span className="mono">{detail.step.error.code}</span>
            </Note>
          )}
          {detail.reasoning !== null && <Reasoning text={detail.reasoning} />}
          {detail.reply && <Reply run={run} reply={detail.reply} place={place} />}
          {detail.call && detail.call.result !== null && (
            <StepTextPart
              title="Result, as the model was given it"
              source={{
                ...{ text: detail.call.result, cut: detail.call.resultCut },
                place: { ...place, part: "call.result" },
              }}
              what="result"
            >
              {(text) => <JsonText text={text} />}
            </StepTextPart>
          )}
          {!detail.reply && detail.call?.result == null && !detail.step.error && (
            <Note tone="info">It returned nothing.</Note>
          )}
        </>
      )}
    </Loaded>
  );
}

/** What the model thought, where its provider sends that. Not part of what it said, and sent to no model again. */
function Reasoning({ text }: { text: string }) {
  return (
    <div className="folds">
      <Fold title="Reasoning" note="as the provider sent it, before the reply" size={bytesOf(text)}>
        <p className="prewrap">{text}</p>
        <CopyButton text={text} what="reasoning" />
      </Fold>
    </div>
  );
}

type ReplyProps = { run: Cited; reply: NonNullable<StepDetail["reply"]>; place: StepInput };

function Reply({ run, reply, place }: ReplyProps) {
  return (
    <>
      {reply.content && (
        <StepTextPart
          title="Text"
          source={{ text: reply.content, cut: reply.cut, place: { ...place, part: "reply" } }}
          what="text as Markdown"
        >
          {(text) => (
            <>
              <CitedMarkdown runId={run.id} text={text} citations={run.citations} />
              <SaveText runId={run.id} place={textKey(place.agentRunId, place.position)} text={text} />
            </>
          )}
        </StepTextPart>
      )}
      {reply.calls.map((call, at) => (
        <StepTextPart
          key={call.id}
          title={
            <>
              Asked for <span className="mono">{call.name}</span>
            </>
          }
          source={{ text: call.arguments, cut: call.cut, place: { ...place, part: `reply.calls.${at}` } }}
          what="arguments"
        >
          {(text) => <JsonText text={text} />}
        </StepTextPart>
      ))}
    </>
  );
}

/** What it says can be kept. Its first line is a title to begin with. */
function SaveText({ runId, place, text }: { runId: string; place: string; text: string }) {
  const [title = ""] = withoutMarks(text).split("\n", 1);
  return (
    <div className="row">
      <SaveAsKnowledge look="button" start={entryOfText({ runId, place, title, text })} />
    </div>
  );
}

function AgentOutput({ state: { run }, agent }: { state: RunState; agent: AgentRow }) {
  const query = useAgentDetail({ runId: run.id, agentRunId: agent.id }, agent.status);
  if (!isTerminal(agent.status))
    return <Note tone="info">Nothing yet. The result appears here when the agent is done.</Note>;
  return (
    <Loaded query={query} what="Result">
      {({ result }) =>
        result === null ? (
          <Note tone="info">It ended without a result.</Note>
        ) : (
          <Part title="Result" copy={result} what="result as Markdown">
            {parse(result) === undefined ? (
              <>
                <CitedMarkdown runId={run.id} text={result} citations={run.citations} />
                <SaveText runId={run.id} place={agentKey(agent.id)} text={result} />
              </>
            ) : (
              <JsonText text={result} />
            )}
          </Part>
        )
      }
    </Loaded>
  );
}
