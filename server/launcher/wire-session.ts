import { frontend, insertText, message, query, readString } from "./wire-messages";

/** What a batch becomes before it reaches the shared backend. */
export interface Rewritten {
  bytes: Buffer;
  /** Ordinals of ParseComplete replies the client did not ask for. */
  swallowParses: Set<number>;
  /** Channels the batch's SQL starts (true) or stops (false) listening to; "*" is all. */
  listens: { channel: string; on: boolean }[];
  /** The backend's unnamed statement is this client's afterwards. */
  ownsUnnamed: boolean;
}

/**
 * One client as the shared backend must see it.
 *
 * Statement names get a prefix, so that two clients may use the same name. Portals need none: they end with their
 * transaction, and during it the backend belongs to one client.
 */
export class WireSession {
  readonly statements = new Set<string>();
  readonly channels = new Set<string>();
  /** The client's last unnamed Parse, sent again when another client has replaced it in the backend. */
  private unnamed: Buffer | undefined;
  /** After an error the protocol ignores everything up to Sync; see WireExchange.run. */
  skipUntilSync = false;

  constructor(
    readonly id: number,
    readonly send: (data: Buffer) => void,
    readonly drop: () => void,
  ) {}

  prefixed(name: string): string {
    return `c${this.id}_${name}`;
  }

  rewrite(batch: Buffer[], unnamedIsMine: boolean): Rewritten {
    const out: Buffer[] = [];
    const swallowParses = new Set<number>();
    const listens: Rewritten["listens"] = [];
    let parses = 0;
    let mine = unnamedIsMine;

    const needsUnnamed = () => {
      if (mine || !this.unnamed) return;
      swallowParses.add(parses);
      parses += 1;
      out.push(this.unnamed);
      mine = true;
    };

    for (const original of batch) {
      let part = original;
      switch (part[0]) {
        case frontend.query: {
          const sql = readString(part, 5).text;
          if (copiesFromClient(sql)) part = query(REFUSE_COPY);
          listens.push(...listensIn(sql));
          // A simple query ends the unnamed statement, as in Postgres.
          this.unnamed = undefined;
          break;
        }
        case frontend.parse: {
          const name = readString(part, 5);
          const sql = readString(part, name.next);
          if (copiesFromClient(sql.text)) {
            part = message(frontend.parse, Buffer.from(`${name.text}\0${REFUSE_COPY}\0\0\0`));
          }
          listens.push(...listensIn(sql.text));
          parses += 1;
          if (name.text) {
            this.statements.add(name.text);
            part = insertText(part, 5, this.prefixed(""));
          } else {
            this.unnamed = part;
            mine = true;
          }
          break;
        }
        case frontend.bind: {
          const at = readString(part, 5).next;
          if (part[at] === 0) needsUnnamed();
          else part = insertText(part, at, this.prefixed(""));
          break;
        }
        case frontend.describe:
        case frontend.close: {
          if (part[5] !== STATEMENT) break;
          if (part[6] === 0) {
            if (part[0] === frontend.describe) needsUnnamed();
            else this.unnamed = undefined;
            break;
          }
          if (part[0] === frontend.close) this.statements.delete(readString(part, 6).text);
          part = insertText(part, 6, this.prefixed(""));
          break;
        }
      }
      out.push(part);
    }
    return { bytes: Buffer.concat(out), swallowParses, listens, ownsUnnamed: mine };
  }
}

const STATEMENT = 0x53;

// COPY … FROM STDIN makes the WASM backend exit: refuse it as an ordinary SQL error instead.
const REFUSE_COPY =
  "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '0A000', " +
  "MESSAGE = 'The embedded database does not support COPY FROM STDIN; use INSERT, or a Postgres server'; END $$";
const COPY_IN = /(?:^|;)\s*copy\b[\s\S]*\bfrom\s+stdin\b/i;
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Guards against accidents: SQL written to slip through still ends the backend, which is then restarted. */
function copiesFromClient(sql: string): boolean {
  return /\bstdin\b/i.test(sql) && (COPY_IN.test(sql) || COPY_IN.test(sql.replace(COMMENTS, " ")));
}

const LISTEN = /(?:^|;)\s*(un)?listen\s+("(?:[^"]|"")+"|\*|[a-z_][\w$]*)/gi;

function listensIn(sql: string): Rewritten["listens"] {
  if (!/listen/i.test(sql)) return [];
  return [...sql.matchAll(LISTEN)].map(([, un, name = ""]) => ({
    on: !un,
    channel: name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase(),
  }));
}
