"use client";

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { NEEDS_PERMISSION, type ToolServerView } from "@/server/tool-servers/schema";
import { inputOf, valuesOf } from "./server-values";
import type { CheckServer } from "./use-check-server";
import { useServerSaved } from "./use-server-saved";
import { useWhyNotOwn } from "./use-why-not-own";

/** What the last test found, and what to do next. */
export function CheckNote({ server, check }: { server: ToolServerView; check: CheckServer }) {
  const said = whatIsSaid(server, check);
  if (!said) return null;
  return (
    <div className="tools-note" role="status">
      <Note tone={said.tone} aside={said.tone === "bad" && <CopyButton text={said.words} what="the problem" />}>
        <p>{said.words}</p>
        {said.offersAllowing && <AllowHost server={server} check={check} />}
      </Note>
    </div>
  );
}

type Said = { tone: "info" | "warn" | "bad"; words: string; offersAllowing?: boolean };

function whatIsSaid(server: ToolServerView, { data, error, isPending }: CheckServer): Said | null {
  const isProgram = server.transport === "stdio";
  if (isPending) {
    return { tone: "info", words: isProgram ? "Starting the program and asking for its tools…" : "Connecting…" };
  }
  if (error) return { tone: "bad", words: errorWords(error).sentence };
  if (!server.enabled) {
    return { tone: "warn", words: "The server is turned off. Runs of agents that name its tools are refused." };
  }
  if (server.checkError !== null) {
    const offersAllowing = server.checkError.endsWith(NEEDS_PERMISSION) && !server.privateHostAllowed;
    return { tone: "bad", words: server.checkError, offersAllowing };
  }
  if (server.checkedAt === null) {
    const next = isProgram ? "Testing starts the program, asks for its tools and ends it." : "Testing connects to it.";
    return { tone: "info", words: `Nothing has been ${isProgram ? "started" : "sent"} yet. ${next}` };
  }
  if (data?.problem) return { tone: "warn", words: data.problem };
  if (server.tools.length === 0) return { tone: "warn", words: "The server works but offers no tools." };
  return null;
}

function AllowHost({ server, check }: { server: ToolServerView; check: CheckServer }) {
  const trpc = useTRPC();
  const saved = useServerSaved();
  const whyNot = useWhyNotOwn();
  const allow = useMutation(
    trpc.toolServers.update.mutationOptions({
      onSuccess: (changed) => {
        saved(changed);
        check.mutate({ toolServerId: server.id });
      },
    }),
  );
  if (whyNot) return null;
  const { name: _, ...reach } = inputOf(valuesOf(server));
  return (
    <div className="row wrap allow-host">
      <Button
        loading={allow.isPending}
        onClick={() =>
          allow.mutate({ toolServerId: server.id, enabled: server.enabled, ...reach, allowPrivateHost: true })
        }
      >
        Allow this host and test again
      </Button>
      {allow.error && <span role="alert">{errorWords(allow.error).sentence}</span>}
    </div>
  );
}
