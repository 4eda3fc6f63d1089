"use client";

import { Kbd, Modal } from "@mantine/core";
import { useDisclosure, useHotkeys, useOs, useWindowEvent } from "@mantine/hooks";
import { KEY_GROUPS } from "./keyboard-keys";

const OPEN = "troupe:keyboard-sheet";

export function openKeyboardSheet(): void {
  window.dispatchEvent(new Event(OPEN));
}

/** The keys, on `?`. */
export function KeyboardSheet() {
  const [opened, sheet] = useDisclosure(false);
  const os = useOs();
  const mod = os === "macos" || os === "ios" ? "⌘" : "Ctrl";
  useHotkeys([["shift+?", sheet.toggle]]);
  useWindowEvent(OPEN, sheet.open);
  return (
    <Modal opened={opened} onClose={sheet.close} title="Keyboard" size={620}>
      <div className="kbd-sheet" tabIndex={-1} data-autofocus>
        {KEY_GROUPS.map((group) => (
          <section key={group.title}>
            <h3 className="section-label">{group.title}</h3>
            <dl>
              {group.keys.map(({ does, press }) => (
                <div key={does} className="kbd-row">
                  <dt>{does}</dt>
                  <dd>
                    {press.map((key) =>
                      key === "–" ? <span key={key}>–</span> : <Kbd key={key}>{key === "mod" ? mod : key}</Kbd>,
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
