"use client";

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { BaseDetail } from "@/server/knowledge/schema";
import { EditButton } from "./edit-button";
import { nameSome } from "./knowledge-words";

/** The end of a base: says what goes and who would miss it, and asks. */
export function DeleteBase({ base }: { base: BaseDetail }) {
  const [asking, dialog] = useDisclosure(false);
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.knowledge.remove.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: trpc.knowledge.bases.pathKey() });
        router.push("/knowledge");
      },
    }),
  );
  const close = () => {
    dialog.close();
    remove.reset();
  };
  return (
    <section className="setting">
      <h2>Delete</h2>
      <div className="col form">
        <p className="t2">Takes the base away with all its documents. Answers that cite them keep their quotes.</p>
        <div>
          <EditButton data-danger onClick={dialog.open}>
            Delete base…
          </EditButton>
        </div>
      </div>
      <Modal opened={asking} onClose={close} title={`Delete ${base.name}?`} size={480}>
        <div className="col form">
          <p className="t2">
            {formatPlural(base.documents, "document")} with {formatPlural(base.chunks, "passage")} go for good, the
            files with them. Answers that cite them keep their quotes.
          </p>
          {base.agents.length > 0 && (
            <Note tone="warn">
              {nameSome(base.agents.map(({ name }) => name))} {base.agents.length === 1 ? "searches" : "search"} this
              base. Runs of {base.agents.length === 1 ? "it" : "them"} are refused until it is taken off{" "}
              {base.agents.length === 1 ? "the agent" : "these agents"}.
            </Note>
          )}
          {remove.error && (
            <Note tone="bad" role="alert">
              {errorWords(remove.error).sentence}
            </Note>
          )}
          <div className="row form-actions">
            <Button onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button data-danger loading={remove.isPending} onClick={() => remove.mutate({ baseId: base.id })}>
              Delete the base
            </Button>
          </div>
        </div>
      </Modal>
    </section>
  );
}
