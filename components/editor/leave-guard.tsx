"use client";

import { Button, Modal } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

type Props = {
  /** There is something to lose. */
  active: boolean;
  /** Saves; false when it could not. Left out: the form is saved by its own button only. */
  onSave?: () => Promise<boolean>;
  onDiscard: () => void;
};

/** Asks before a link or a reload takes unsaved changes away. */
export function LeaveGuard({ active, onSave, onDiscard }: Props) {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);

  useEffect(() => {
    if (!active) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const path = leadsAway(event);
      if (!path) return;
      // Before the router's own listener hears of it.
      event.preventDefault();
      event.stopPropagation();
      setTarget(path);
    };
    window.addEventListener("beforeunload", onUnload);
    window.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      window.removeEventListener("click", onClick, { capture: true });
    };
  }, [active]);

  const go = () => {
    if (target) router.push(target);
    setTarget(null);
  };
  return (
    <Modal opened={target !== null} onClose={() => setTarget(null)} title="Leave without saving?" size={440}>
      <p className="t2">What you changed here since the last save is not on the server yet.</p>
      <div className="dialog-actions">
        <Button
          variant="subtle"
          data-danger
          onClick={() => {
            onDiscard();
            go();
          }}
        >
          Discard changes
        </Button>
        <Button onClick={() => setTarget(null)} data-autofocus={onSave ? undefined : true}>
          Stay
        </Button>
        {onSave && (
          <Button
            variant="filled"
            loading={isSaving}
            data-autofocus
            onClick={async () => {
              setIsSaving(true);
              const done = await onSave();
              setIsSaving(false);
              if (done) go();
              else setTarget(null);
            }}
          >
            Save and leave
          </Button>
        )}
      </div>
    </Modal>
  );
}

/** The path a click leads to in this tab, when it is another page of ours. */
function leadsAway(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || (link.target && link.target !== "_self") || link.hasAttribute("download")) return null;
  const url = new URL(link.href, window.location.href);
  if (url.origin !== window.location.origin || url.pathname === window.location.pathname) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
