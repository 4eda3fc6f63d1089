"use client";

import { Button, TextInput } from "@mantine/core";
import { CopyButton } from "@/components/ui/copy-button";

/** What calls are signed with. Nobody is shown it again. */
export function SecretOnce({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className="col form">
      <p>
        Its calls are signed with this secret, the way Standard Webhooks says. Give it to the receiver if it checks who
        calls; chat services do not. It is not shown again, but can be made anew.
      </p>
      <div className="row">
        <TextInput
          className="grow mono"
          aria-label="Signing secret"
          value={secret}
          readOnly
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={secret} what="the secret" />
      </div>
      <div className="dialog-actions">
        <Button variant="filled" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
