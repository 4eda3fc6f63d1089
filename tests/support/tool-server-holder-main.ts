import { connectToolServer } from "@/server/mcp/connect";

/** Starts the everything server with a long call under way, says its process id, and ends without closing it. */
async function main(): Promise<void> {
  const { client } = await connectToolServer({
    ...{ id: "a", workspaceId: "b", name: "all", transport: "stdio", url: null, secretSealed: null, enabled: true },
    ...{
      command: process.execPath,
      args: process.argv.slice(2),
      tools: [],
      effects: {},
      policies: {},
      check_error: null,
    },
    updatedAt: new Date(),
  });
  const long = { name: "trigger-long-running-operation", arguments: { duration: 300, steps: 1 } };
  client.callTool(long).catch(() => {});
  const env = await client.callTool({ name: "get-env", arguments: {} });
  const { transport } = client;
  const pid = transport && "pid" in transport ? transport.pid : null;
  process.stdout.write(JSON.stringify({ pid, answered: env.isError !== true }), () => process.exit(0));
}

void main();
