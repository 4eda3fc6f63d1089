import type { TextDelta } from "@/server/engine/events";

/** Text a reader may be behind, in UTF-16 units over all its pieces. A few seconds of several agents. */
const MAX_BUFFERED = 64_000;

/** Pieces of streaming text on their way to one reader. When full, further pieces are dropped: a gap in the offsets. */
export class DeltaBuffer {
  private pieces: TextDelta[] = [];
  private size = 0;

  /** False when the piece was dropped. Pieces that continue the last one join it, so a slow reader gets fewer. */
  push(delta: TextDelta): boolean {
    if (this.size + delta.text.length > MAX_BUFFERED) return false;
    this.size += delta.text.length;
    const last = this.pieces.at(-1);
    if (
      last &&
      last.agentRunId === delta.agentRunId &&
      last.position === delta.position &&
      last.offset + last.text.length === delta.offset
    ) {
      last.text += delta.text;
    } else {
      this.pieces.push({ ...delta });
    }
    return true;
  }

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  take(): TextDelta[] {
    const taken = this.pieces;
    this.pieces = [];
    this.size = 0;
    return taken;
  }
}
