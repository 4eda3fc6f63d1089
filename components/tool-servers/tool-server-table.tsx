import Link from "next/link";
import { formatCount, formatPlural } from "@/components/ui/format";
import { LinkRow } from "@/components/ui/link-row";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { commandLine } from "./command-line";
import { toolServerHref } from "./tool-server-links";
import { ToolServerState } from "./tool-server-state";

export function ToolServerTable({ servers }: { servers: readonly ToolServerView[] }) {
  return (
    <table className="table cards edge tool-servers">
      <thead>
        <tr>
          <th>Server</th>
          <th>State</th>
          <th>Reached by</th>
          <th className="num">Tools</th>
          <th>Used by</th>
          <th className="num">Tested</th>
        </tr>
      </thead>
      <tbody>
        {servers.map((server) => (
          <ServerRow key={server.id} server={server} />
        ))}
      </tbody>
    </table>
  );
}

function ServerRow({ server }: { server: ToolServerView }) {
  const href = toolServerHref(server.id);
  const reach = server.url ?? commandLine(server.command ?? "", server.args);
  return (
    <LinkRow href={href}>
      <td>
        <Link href={href} className="b" prefetch={false}>
          {server.name}
        </Link>
      </td>
      <td>
        <ToolServerState server={server} />
      </td>
      <td className="reach" data-m="full">
        <span className="ell block" title={reach}>
          <span className="t3">{server.transport === "http" ? "HTTP" : "Program"}</span>{" "}
          <span className="mono fs12">{reach}</span>
        </span>
      </td>
      <td className="num t2" data-m="full">
        {formatCount(server.tools.length)}
        <span className="only-m"> {server.tools.length === 1 ? "tool" : "tools"}</span>
      </td>
      <td className="t2" data-m="hide">
        {server.usedBy.length === 0 ? (
          <span className="t3">no agent</span>
        ) : (
          <span title={server.usedBy.map(({ name }) => name).join(", ")}>
            {formatPlural(server.usedBy.length, "agent")}
          </span>
        )}
      </td>
      <td className="num t3" data-m="hide">
        {server.checkedAt ? <RelativeTime at={server.checkedAt} /> : "never"}
      </td>
    </LinkRow>
  );
}
