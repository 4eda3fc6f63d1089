"use client";

import { Button, Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { StartRunFields } from "./start-run-fields";
import { useStartRunForm } from "./start-run-form";

type Preset = { teamId?: string; input?: string };
const StartRunContext = createContext<{ open: (preset?: Preset) => void } | null>(null);

/** Opens the dialog from anywhere in the console, with a team or a task filled in. */
export function useStartRun() {
  const context = useContext(StartRunContext);
  if (!context) throw new Error("useStartRun is used outside StartRunProvider");
  return context;
}

/** The dialog lives above the pages, and its draft above the dialog: closing it loses nothing. */
export function StartRunProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const draft = useStartRunForm(() => setOpened(false));
  const whyNot = useWhyNotAct();

  const open = (preset?: Preset) => {
    if (preset?.teamId) draft.form.setFieldValue("teamId", preset.teamId);
    if (preset?.input) draft.form.setFieldValue("input", preset.input);
    setOpened(true);
  };

  return (
    <StartRunContext value={{ open }}>
      {children}
      <Modal opened={opened} onClose={() => setOpened(false)} title="Start a run" size={560}>
        <form className="col start-run" onSubmit={draft.submit} noValidate>
          <StartRunFields draft={draft} autoFocus />
          <div className="row start-run-actions">
            <span className="grow t3 fs12">{whyNot}</span>
            <Button onClick={() => setOpened(false)}>Cancel</Button>
            <Button type="submit" variant="filled" loading={draft.isStarting} disabled={whyNot !== null || !draft.team}>
              Start
            </Button>
          </div>
        </form>
      </Modal>
    </StartRunContext>
  );
}
