type At = { baseURL: string; databaseUrl: string };
type Contender = {
  single(prompt: string, run?: string): Promise<string>;
  supervisor(prompt: string, run?: string): Promise<string>;
  close(): Promise<unknown>;
};
export function bareLoop(at: At): Promise<Contender>;
export function dbosLoop(at: At): Promise<Contender>;
