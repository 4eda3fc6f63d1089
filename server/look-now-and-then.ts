import { logger } from "./logger";

type Options = {
  everyMs: number;
  /** What the log says when a look failed; the next one tries again. */
  failed: string;
};

export type Looks = {
  /** Looks now; told while it looks, it looks once more, for what it was told of may lie behind. */
  wake(): void;
  /** Begins no further look and tells the one under way by its signal; resolves when that has ended. */
  close(): Promise<void>;
};

/** Looks for work at once and then now and then, one look at a time, until it is closed. */
export function lookNowAndThen({ everyMs, failed }: Options, look: (signal: AbortSignal) => Promise<void>): Looks {
  const closing = new AbortController();
  const { signal } = closing;
  let looking: Promise<void> | undefined;
  let again = false;
  const begin = () => {
    if (looking || signal.aborted) return;
    again = false;
    looking = lookOnce().finally(() => {
      looking = undefined;
      if (again) begin();
    });
  };
  const lookOnce = async () => {
    try {
      await look(signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, failed);
    }
  };
  const looks = setInterval(begin, everyMs);
  begin();
  return {
    wake() {
      again = true;
      begin();
    },
    async close() {
      closing.abort();
      clearInterval(looks);
      await looking;
    },
  };
}
