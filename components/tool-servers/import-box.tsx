"use client";

import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { Note } from "@/components/ui/note";
import { type Imported, importServers } from "./import-servers";

/** Takes the `mcpServers` JSON of another client and hands one of its servers to the form. */
export function ImportBox({ onTake, onCancel }: { onTake: (server: Imported) => void; onCancel: () => void }) {
  const [text, setText] = useState("");
  const [read, setRead] = useState<ReturnType<typeof importServers>>();
  const take = () => {
    const found = importServers(text);
    setRead(found);
    const [only, ...others] = found.servers;
    if (only && others.length === 0) onTake(only);
  };
  return (
    <div className="col form">
      <Textarea
        label="Configuration"
        description="The JSON that other MCP clients keep under mcpServers. It fills the form; nothing is saved or started."
        placeholder={'{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "…"] } } }'}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        classNames={{ input: "mono" }}
        value={text}
        error={read?.problem}
        data-autofocus
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRead(undefined);
        }}
      />
      {read && read.servers.length > 1 && (
        <div className="col import-choice">
          <Note tone="info">There are {read.servers.length} servers in it. Which one?</Note>
          <div className="row wrap">
            {read.servers.map((server) => (
              <Button key={server.from} onClick={() => onTake(server)}>
                {server.from}
              </Button>
            ))}
          </div>
        </div>
      )}
      <div className="row form-actions">
        <Button onClick={onCancel}>Back to the form</Button>
        <Button variant="filled" onClick={take} disabled={text.trim() === ""}>
          Fill in the form
        </Button>
      </div>
    </div>
  );
}
