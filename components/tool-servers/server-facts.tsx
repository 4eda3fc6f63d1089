import Link from "next/link";
import { CopyButton } from "@/components/ui/copy-button";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { commandLine } from "./command-line";

/** How it is reached, exactly, and who uses it. */
export function ServerFacts({ server }: { server: ToolServerView }) {
  const isProgram = server.transport === "stdio";
  const reach = isProgram ? commandLine(server.command ?? "", server.args) : (server.url ?? "");
  return (
    <dl className="tools-facts">
      <div className="kv">
        <dt>{isProgram ? "Started as" : "Address"}</dt>
        <dd className="row reach-line">
          <span className="mono fs12">{reach}</span>
          <CopyButton text={reach} what={isProgram ? "command" : "address"} />
        </dd>
      </div>
      {isProgram && (
        <div className="kv">
          <dt>Runs</dt>
          <dd className="t2">On the server, with the server’s rights, in an empty directory of its own.</dd>
        </div>
      )}
      {server.privateHostAllowed && (
        <div className="kv">
          <dt>Private network</dt>
          <dd className="t2">An owner allowed this host and port.</dd>
        </div>
      )}
      <div className="kv">
        <dt>{isProgram ? "Environment" : "Headers"}</dt>
        <dd>
          {server.secretNames.length === 0 ? (
            <span className="t3">none</span>
          ) : (
            <span>
              <span className="mono fs12">{server.secretNames.join(", ")}</span>{" "}
              <span className="t3">(values are stored encrypted and never shown)</span>
            </span>
          )}
        </dd>
      </div>
      <div className="kv">
        <dt>Used by</dt>
        <dd>
          {server.usedBy.length === 0 ? (
            <span className="t3">no agent</span>
          ) : (
            server.usedBy.map(({ id, name }, i) => (
              <span key={id}>
                {i > 0 && ", "}
                <Link href={`/agents/${id}`} prefetch={false}>
                  {name}
                </Link>
              </span>
            ))
          )}
        </dd>
      </div>
    </dl>
  );
}
