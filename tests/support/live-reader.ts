import superjson, { type SuperJSONResult } from "superjson";
import type { RunEvent } from "@/server/engine/events";
import type { FollowInput, FollowMessage } from "@/server/runs/live-schema";

type Frame = { event: string; data: string };

/** Reads a live stream the way a browser's EventSource does: it keeps the last id it was given and sends it again. */
export class LiveReader {
  readonly messages: FollowMessage[] = [];
  /** The error the server closed the stream with, as its code. */
  refusal: string | null = null;
  /** The server ended the last stream in good order: whoever wants more opens another. */
  isOver = false;
  connections = 0;
  private lastEventId = "";
  private controller = new AbortController();

  constructor(
    private readonly url: string,
    private readonly input: FollowInput,
    private readonly headers: Record<string, string> = {},
  ) {}

  get address(): string {
    return `${this.url}/live.follow?input=${encodeURIComponent(JSON.stringify(superjson.serialize(this.input)))}`;
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }

  get events(): RunEvent[] {
    return this.messages.flatMap((message) => (message.type === "event" ? [message.event] : []));
  }

  /** Text pieces, in the order they came. */
  get text(): string {
    return this.messages.map((message) => (message.type === "delta" ? message.delta.text : "")).join("");
  }

  /** Reads until the server ends the stream, `enough` says so, or `close` is called. */
  async read(enough: (reader: LiveReader) => boolean = () => false): Promise<void> {
    this.controller = new AbortController();
    this.connections += 1;
    try {
      const response = await fetch(this.address, {
        headers: { ...this.headers, ...(this.lastEventId ? { "last-event-id": this.lastEventId } : {}) },
        signal: this.controller.signal,
      });
      await this.hear(response, enough);
    } catch (error) {
      if (!this.controller.signal.aborted && !isLost(error)) throw error;
    }
  }

  /** Takes in what a stream holds, however it was read. */
  async hear(response: Response, enough: (reader: LiveReader) => boolean = () => false): Promise<void> {
    this.isOver = false;
    for await (const { event, data } of this.frames(response)) {
      if (event === "message") this.messages.push(parse<FollowMessage>(data));
      if (event === "serialized-error") this.refusal = parse<{ data: { code: string } }>(data).data.code;
      if (event === "return") this.isOver = true;
      if (event === "return" || event === "serialized-error") return;
      if (enough(this)) return this.close();
    }
  }

  close(): void {
    this.controller.abort();
  }

  private async *frames(response: Response): AsyncGenerator<Frame> {
    if (!response.body) return;
    let frame = { event: "message", data: "", id: this.lastEventId };
    let rest = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          const colon = line.indexOf(": ");
          const field = line.slice(0, colon);
          if (field in frame) Object.assign(frame, { [field]: line.slice(colon + 2) });
          continue;
        }
        // The id counts from the end of a frame on, also of one without data.
        this.lastEventId = frame.id;
        if (frame.data !== "" || frame.event !== "message") yield frame;
        frame = { event: "message", data: "", id: this.lastEventId };
      }
    }
  }
}

function parse<T>(data: string): T {
  return superjson.deserialize<T>(JSON.parse(data) as SuperJSONResult);
}

/** The server went away in the middle: an EventSource would simply connect again. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError && ["terminated", "fetch failed"].includes(error.message);
}
