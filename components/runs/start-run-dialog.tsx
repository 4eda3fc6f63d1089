"use client";

import { Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { useStartRunDraft } from "./start-run-draft";
import { StartRunForm } from "./start-run-form";

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
  const close = () => setOpened(false);
  const draft = useStartRunDraft(close);
  const open = (preset?: Preset) => {
    if (preset?.teamId) draft.form.setFieldValue("teamId", preset.teamId);
    if (preset?.input) draft.form.setFieldValue("input", preset.input);
    setOpened(true);
  };
  return (
    <StartRunContext value={{ open }}>
      {children}
      <Modal opened={opened} onClose={close} title="Start a run" size={560}>
        <LoadBoundary pending={<div className="start-skeleton" />} failed="The teams could not be loaded">
          <StartRunForm draft={draft} onCancel={close} autoFocus />
        </LoadBoundary>
      </Modal>
    </StartRunContext>
  );
}
