"use client";

import "@/components/editor/editor.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { ToolServerView } from "@/server/tool-servers/schema";
import { TOOLS_HREF } from "./tool-server-links";

/** Says what goes, and which agents would miss it, before a server is removed. */
export function RemoveServerDialog({ server, onClose }: { server: ToolServerView; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.toolServers.remove.mutationOptions({
      onSuccess: () => {
        router.push(TOOLS_HREF);
        void queryClient.invalidateQueries({ queryKey: trpc.toolServers.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.agents.pathKey() });
      },
    }),
  );
  const { usedBy } = server;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${server.name}?`}
      action="Remove the server"
      onConfirm={() => remove.mutate({ toolServerId: server.id })}
      isBusy={remove.isPending}
      refusal={remove.error ? errorWords(remove.error).sentence : null}
    >
      <p className="t2">
        Its {formatPlural(server.tools.length, "tool")} and stored secrets go. Runs of the past keep what they recorded.
      </p>
      {usedBy.length > 0 && (
        <Note tone="warn">
          {usedBy.map(({ name }) => name).join(", ")} {usedBy.length === 1 ? "names" : "name"} tools of this server.
          Runs of {usedBy.length === 1 ? "it" : "them"} are refused until those tools are taken out and the{" "}
          {usedBy.length === 1 ? "agent is" : "agents are"} published again.
        </Note>
      )}
    </ConfirmDialog>
  );
}
