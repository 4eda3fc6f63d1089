"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { EditServerDialog } from "./edit-server-dialog";
import { RemoveServerDialog } from "./remove-server-dialog";
import { inputOf, valuesOf } from "./server-values";
import { ToolServerState } from "./tool-server-state";
import type { CheckServer } from "./use-check-server";
import { useServerSaved } from "./use-server-saved";
import { useWhyNotOwn } from "./use-why-not-own";

export function ToolServerHead({ server, check }: { server: ToolServerView; check: CheckServer }) {
  const whyNot = useWhyNotOwn();
  const [editing, edit] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  const trpc = useTRPC();
  const saved = useServerSaved();
  const turn = useMutation(trpc.toolServers.update.mutationOptions({ onSuccess: saved }));
  const turnTo = (enabled: boolean) => {
    const { name: _, ...reach } = inputOf(valuesOf(server));
    turn.mutate({ toolServerId: server.id, enabled, ...reach });
  };
  return (
    <>
      <PageHead
        title={server.name}
        meta={
          <>
            <ToolServerState server={server} isChecking={check.isPending} />
            {(server.tools.length > 0 || (server.checkedAt && !server.checkError)) && (
              <span>{formatPlural(server.tools.length, "tool")}</span>
            )}
            {server.checkedAt && (
              <span>
                tested <RelativeTime at={server.checkedAt} />
              </span>
            )}
          </>
        }
        actions={
          whyNot ? (
            <span className="t3 fs12">{whyNot}</span>
          ) : (
            <>
              <Button
                variant="filled"
                loading={check.isPending}
                onClick={() => check.mutate({ toolServerId: server.id })}
              >
                Test connection
              </Button>
              <Button onClick={edit.open}>Edit…</Button>
              <Button loading={turn.isPending} onClick={() => turnTo(!server.enabled)}>
                {server.enabled ? "Turn off" : "Turn on"}
              </Button>
              <Button data-danger onClick={remove.open}>
                Remove…
              </Button>
            </>
          )
        }
      />
      {turn.error && (
        <div className="tools-note">
          <Note tone="bad" role="alert">
            {errorWords(turn.error).sentence}
          </Note>
        </div>
      )}
      {editing && <EditServerDialog server={server} onClose={edit.close} />}
      {removing && <RemoveServerDialog server={server} onClose={remove.close} />}
    </>
  );
}
