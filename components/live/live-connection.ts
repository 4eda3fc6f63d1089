import type { RunEvent, TextDelta } from "@/server/engine/events";
import type { FollowInput, FollowMessage } from "@/server/runs/live-schema";
import type { LiveStatus } from "./live-status";

export type ChangedHint = Extract<FollowMessage, { type: "changed" }>;
/** A tracked message arrives wrapped with its id, any other as it is. */
export type Delivery = FollowMessage | { id: string; data: FollowMessage };

export type FollowCallbacks = {
  onData: (delivery: Delivery) => void;
  /** "lost": an attempt failed, and the transport tries again by itself. */
  onState: (state: "connecting" | "connected" | "lost") => void;
  /** The subscription is over. `signedOut`: asking again is of no use. */
  onEnd: (end: { signedOut: boolean }) => void;
  /** The server ended the stream in good order: what its reader may do has changed, and the next one goes by that. */
  onOver: () => void;
};
/** Opens the stream and gives back how to close it. The transport reconnects by itself after short breaks. */
export type OpenStream = (input: FollowInput, callbacks: FollowCallbacks) => () => void;

export type FollowHandlers = {
  onEvent: (event: RunEvent) => void;
  onDelta: (delta: TextDelta) => void;
};

type Target = { runId: string; lastSeq: number; handlers: FollowHandlers };
type Options = {
  open: OpenStream;
  onStatus: (status: LiveStatus) => void;
  onChanged: (hint: ChangedHint) => void;
  /** Connected again after a gap in which hints may have been missed. */
  onCaughtUp: () => void;
};

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * The tab's one stream. It always carries hints about the workspace and, while a run page is registered, that run's
 * events from the last seq the page has. Changing the run, or coming back from hidden, closes it and opens another.
 */
export class LiveConnection {
  readonly #options: Options;
  #target: Target | null = null;
  #close: (() => void) | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #missedHints = false;
  #status: LiveStatus = "connecting";
  #awake = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the stream, or opens it again where it stopped. */
  wake(): void {
    if (this.#awake) return;
    this.#awake = true;
    this.#setStatus("connecting");
    this.#reopen();
  }

  /** Lets the connection go without forgetting the place: browsers allow six to one origin, over all tabs. */
  sleep(): void {
    this.#awake = false;
    this.#shut();
    this.#missedHints = true;
    this.#setStatus("paused");
  }

  /** Registers the run page that is on screen; gives back how to leave. The newest registration counts. */
  follow(target: Target): () => void {
    this.#target = { ...target };
    const mine = this.#target;
    if (this.#awake) this.#reopen();
    return () => {
      if (this.#target !== mine) return;
      this.#target = null;
      if (this.#awake) this.#reopen();
    };
  }

  stop(): void {
    this.#awake = false;
    this.#shut();
  }

  #setStatus(status: LiveStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.onStatus(status);
  }

  #shut(): void {
    clearTimeout(this.#retry);
    this.#close?.();
    this.#close = null;
  }

  #reopen(): void {
    this.#shut();
    // On purpose, so it is no break to tell the reader about.
    if (this.#status === "live") this.#setStatus("connecting");
    const target = this.#target;
    const input = target ? { runId: target.runId, lastEventId: String(target.lastSeq) } : {};
    let current = true;
    const close = this.#options.open(input, {
      onData: (delivery) => current && this.#receive(delivery),
      onState: (state) => current && this.#note(state),
      onEnd: (end) => {
        if (!current) return;
        current = false;
        this.#lost(end);
      },
      onOver: () => {
        if (!current) return;
        current = false;
        this.#openAnew();
      },
    });
    this.#close = () => {
      current = false;
      close();
    };
  }

  #note(state: "connecting" | "connected" | "lost"): void {
    if (state === "lost") {
      this.#missedHints = true;
      this.#setStatus("reconnecting");
      return;
    }
    if (state === "connecting") {
      this.#missedHints = true;
      if (this.#status === "live") this.#setStatus("reconnecting");
      return;
    }
    this.#retryMs = FIRST_RETRY_MS;
    this.#setStatus("live");
    if (this.#missedHints) this.#options.onCaughtUp();
    this.#missedHints = false;
  }

  #receive(delivery: Delivery): void {
    const message = "type" in delivery ? delivery : delivery.data;
    if (message.type === "changed") {
      this.#options.onChanged(message);
      return;
    }
    const target = this.#target;
    if (!target) return;
    if (message.type === "delta") {
      if (message.delta.runId === target.runId) target.handlers.onDelta(message.delta);
      return;
    }
    const { event } = message;
    if (event.runId !== target.runId || event.seq <= target.lastSeq) return;
    target.lastSeq = event.seq;
    target.handlers.onEvent(event);
  }

  /** Nothing is lost, so nothing is said. Not at once: a server that ended each stream would be asked without a pause. */
  #openAnew(): void {
    this.#close = null;
    this.#missedHints = true;
    this.#retry = setTimeout(() => this.#awake && this.#reopen(), FIRST_RETRY_MS);
  }

  #lost({ signedOut }: { signedOut: boolean }): void {
    this.#close = null;
    this.#missedHints = true;
    if (signedOut) {
      this.#setStatus("signed-out");
      return;
    }
    this.#setStatus("reconnecting");
    this.#retry = setTimeout(() => this.#awake && this.#reopen(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }
}
