"use client";

import { Kbd, Tooltip } from "@mantine/core";
import { useHotkeys, useOs } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { IconHelp, IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LiveState } from "@/components/live/live-state";
import { PageLink } from "@/components/ui/page-link";
import { Crumbs } from "./crumbs";
import { KeyboardSheet, openKeyboardSheet } from "./keyboard-sheet";
import { ModelBanner } from "./model-banner";
import { NavLinks } from "./nav-links";
import { SignedOut } from "./signed-out";
import { TabBar } from "./tab-bar";
import { useDialogFocus } from "./use-dialog-focus";
import { useMe } from "./use-me";
import { UserButton } from "./user-menu";

/** The frame: sidebar, top bar, content; a bottom bar instead of the sidebar below 900 px. */
export function ConsoleShell({ children }: { children: ReactNode }) {
  useHotkeys([["/", search]]);
  useDialogFocus();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Sidebar />
      <div className="main">
        <header className="topbar">
          <Crumbs />
          <span className="grow" />
          <ModelBanner />
          <button type="button" className="icon-btn only-m" aria-label="Search" onClick={spotlight.open}>
            <IconSearch size={18} aria-hidden />
          </button>
          <Tooltip label="Keyboard shortcuts (?)">
            <button
              type="button"
              className="icon-btn hide-m"
              aria-label="Keyboard shortcuts"
              onClick={openKeyboardSheet}
            >
              <IconHelp size={16} aria-hidden />
            </button>
          </Tooltip>
        </header>
        <main id="main" className="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <TabBar />
      <KeyboardSheet />
      <LiveState />
      <SignedOut />
    </div>
  );
}

function Sidebar() {
  const { workspace } = useMe();
  const os = useOs();
  return (
    <div className="sidebar">
      <PageLink href="/" className="workspace" title={workspace.name}>
        <span className="ws-mark" aria-hidden>
          {[...workspace.name][0]?.toUpperCase()}
        </span>
        <span className="grow ell">{workspace.name}</span>
      </PageLink>
      <button type="button" className="search-btn" onClick={spotlight.open}>
        <IconSearch size={14} aria-hidden />
        <span className="grow">Search or do</span>
        <Kbd>{os === "macos" || os === "ios" ? "⌘K" : "Ctrl K"}</Kbd>
      </button>
      <nav className="nav scroll" aria-label="Main">
        <NavLinks />
      </nav>
      <div className="side-foot">
        <UserButton />
      </div>
    </div>
  );
}

/** The page's own search box if it has one, else the palette. */
function search() {
  const field = document.querySelector<HTMLInputElement>("input[data-page-search]");
  if (field?.checkVisibility()) field.focus();
  else spotlight.open();
}
