"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilterOff, IconMailOff } from "@tabler/icons-react";
import { useMutation, useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import type { DeadLetterView } from "@/server/dead-letters/schema";
import { DEAD_LETTERS_PER_PAGE, type DeadLetterFilters } from "./dead-letter-filters";
import { DeadLetterRow } from "./dead-letter-row";
import { useDeadLettersChanged } from "./use-dead-letters-changed";

/** As many as one acknowledgement takes. */
const MOST_AT_ONCE = 100;
/** While a worker makes one of them again. */
const LOOK_AGAIN_MS = 3_000;

type Props = {
  filters: DeadLetterFilters;
  onFilter: (change: Partial<DeadLetterFilters>) => void;
  onClear: () => void;
};

const isUnderWay = ({ status }: DeadLetterView) => status === "requested" || status === "replaying";

export function DeadLetterList({ filters, onFilter, onClear }: Props) {
  const trpc = useTRPC();
  const whyNot = useWhyNotAct();
  const list = useRef<HTMLDivElement>(null);
  const query = useSuspenseInfiniteQuery({
    ...trpc.deadLetters.list.infiniteQueryOptions(
      { ...filters, limit: DEAD_LETTERS_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) ? LOOK_AGAIN_MS : false,
  });
  const letters = query.data.pages.flatMap((page) => page.items);
  const open = letters.filter(({ status }) => status === "open").slice(0, MOST_AT_ONCE);
  // A row that leaves takes the focus with it: whoever works by keyboard goes on in the list.
  const keepFocus = () => list.current?.focus();
  return (
    <div ref={list} tabIndex={-1} className="dead-letter-list">
      {letters.length === 0 && <Nothing filters={filters} onClear={onClear} />}
      {open.length > 1 && whyNot === null && <AcknowledgeAll open={open} onDone={keepFocus} />}
      {letters.length > 0 && (
        <ul className="dead-letters">
          {letters.map((letter) => (
            <DeadLetterRow
              key={letter.id}
              letter={letter}
              whyNot={whyNot}
              onFilter={onFilter}
              onAcknowledged={filters.status === "all" ? undefined : keepFocus}
            />
          ))}
        </ul>
      )}
      <LoadMore query={query} />
    </div>
  );
}

function Nothing({ filters: { status, search, operation, code }, onClear }: Pick<Props, "filters" | "onClear">) {
  if (search || operation || code) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No dead letter matches"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        The search looks at messages, names and arguments.
      </EmptyState>
    );
  }
  const title = { open: "No open dead letters", replayed: "None was made again", acknowledged: "None is acknowledged" };
  return (
    <EmptyState icon={IconMailOff} title={status === "all" ? "No dead letters" : title[status]}>
      A call is kept here when it failed after its retries, and nothing could stand in for it.
    </EmptyState>
  );
}

function AcknowledgeAll({ open, onDone }: { open: readonly DeadLetterView[]; onDone: () => void }) {
  const trpc = useTRPC();
  const changed = useDeadLettersChanged();
  const [asking, dialog] = useDisclosure(false);
  const acknowledge = useMutation(
    trpc.deadLetters.acknowledge.mutationOptions({
      onSuccess: async () => {
        await changed();
        dialog.close();
        onDone();
      },
    }),
  );
  const many = formatPlural(open.length, "dead letter");
  return (
    <div className="dead-letter-all">
      <Button onClick={dialog.open}>Acknowledge the {open.length} shown…</Button>
      <ConfirmDialog
        opened={asking}
        onClose={dialog.close}
        title={`Acknowledge ${many}?`}
        action={`Acknowledge ${many}`}
        onConfirm={() => acknowledge.mutate({ deadLetterIds: open.map(({ id }) => id) })}
        isBusy={acknowledge.isPending}
        refusal={acknowledge.error && errorWords(acknowledge.error).sentence}
      >
        <p className="t2">They stay under “Acknowledged”, with your name. None of the calls can be made again then.</p>
      </ConfirmDialog>
    </div>
  );
}
