import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import { formatCount, formatPlural } from "@/components/ui/format";
import { RelativeTime } from "@/components/ui/relative-time";
import { MOST_COUNTED, type TraceSinkView } from "@/server/tracing/schema";

/** How it goes, in a line. */
export function TraceState({ sink }: { sink: TraceSinkView | null }) {
  if (!sink?.enabled) {
    return (
      <span className="tracing-state t2">
        <IconCircleDashed size={15} stroke={1.75} aria-hidden />
        {sink ? "Off." : "Off: no receiver is saved."} No trace leaves this workspace.
      </span>
    );
  }
  const waiting = `${sink.waiting >= MOST_COUNTED ? `${formatCount(MOST_COUNTED)} or more` : formatCount(sink.waiting)} waiting`;
  const dropped = sink.dropped > 0 ? ` · ${formatCount(sink.dropped)} given up` : "";
  if (sink.failures > 0) {
    return (
      <span className="tracing-state warn" role="status">
        <IconAlertTriangle size={15} stroke={1.75} aria-hidden />
        <span>
          Not getting through
          {sink.failingSince && (
            <>
              {" "}
              since <RelativeTime at={sink.failingSince} />
            </>
          )}
          : {sink.problem} {waiting}
          {dropped}.
          {sink.nextTryAt && (
            <>
              {" "}
              Tried again <RelativeTime at={sink.nextTryAt} />.
            </>
          )}
        </span>
      </span>
    );
  }
  return (
    <span className="tracing-state ok">
      <IconCircleCheck size={15} stroke={1.75} aria-hidden />
      <span>
        On. {sink.sent === 0 ? "Nothing sent yet" : `${formatPlural(sink.sent, "agent run")} sent`}
        {sink.sentAt && (
          <>
            , last <RelativeTime at={sink.sentAt} />
          </>
        )}
        {sink.waiting > 0 && ` · ${waiting}`}
        {dropped}
      </span>
    </span>
  );
}
