/** From here on this process works on that database: server/env.ts finds it where it always looks. */
export function nameDatabase(url: string): void {
  process.env.DATABASE_URL = url;
}
