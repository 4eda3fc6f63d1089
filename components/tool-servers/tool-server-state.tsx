import { StatusBadge } from "@/components/ui/status";
import type { ToolServerView } from "@/server/tool-servers/schema";

type Props = { server: Pick<ToolServerView, "enabled" | "checkedAt" | "checkError">; isChecking?: boolean };

/** What the last test of a server said, unless it is turned off. */
export function ToolServerState({ server, isChecking }: Props) {
  if (isChecking) return <StatusBadge status="running" word="Testing" />;
  if (!server.enabled) return <StatusBadge status="paused" word="Turned off" />;
  if (server.checkError !== null) return <StatusBadge status="failed" word="Test failed" />;
  if (server.checkedAt === null) return <StatusBadge status="queued" word="Not tested" />;
  return <StatusBadge status="completed" word="Ready" />;
}
