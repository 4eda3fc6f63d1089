"use client";

import { IconUpload } from "@tabler/icons-react";
import { createContext, type ReactNode, useContext } from "react";
import { useDropzone } from "react-dropzone";
import { useWhyNotEdit } from "@/components/layout/use-me";
import type { BaseDetail } from "@/server/knowledge/schema";
import { EditButton } from "./edit-button";
import { uploads } from "./upload-queue";
import { FILE_LIMIT_WORDS, FILE_TYPE_WORDS } from "./upload-rules";

const ChooseContext = createContext<() => void>(() => {});

type Props = {
  base: Pick<BaseDetail, "id" | "name">;
  /** Files were given: show where they appear. */
  onAdd: () => void;
  children: ReactNode;
};

/** The whole page of a base takes dropped files; buttons in it open the browser's own dialog. */
export function UploadArea({ base, onAdd, children }: Props) {
  const whyNot = useWhyNotEdit();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    disabled: whyNot !== null,
    onDrop: (files) => {
      if (files.length === 0) return;
      uploads.add(base.id, files);
      onAdd();
    },
  });
  return (
    <ChooseContext value={open}>
      <div {...getRootProps({ className: "base", role: undefined })}>
        <input {...getInputProps({ "aria-label": "Files to upload" })} />
        {children}
        {isDragActive && (
          <div className="drop-here">
            <p>
              <IconUpload size={20} aria-hidden /> Drop the files to add them to {base.name}
            </p>
          </div>
        )}
      </div>
    </ChooseContext>
  );
}

export function UploadButton() {
  return (
    <EditButton variant="filled" leftSection={<IconUpload size={15} aria-hidden />} onClick={useContext(ChooseContext)}>
      Upload files
    </EditButton>
  );
}

/** The place that says what can be dropped. For somebody who may not add files it says why. */
export function DropZone() {
  const choose = useContext(ChooseContext);
  const whyNot = useWhyNotEdit();
  if (whyNot) return <p className="dropzone off">{whyNot}</p>;
  return (
    <button type="button" className="dropzone" onClick={choose}>
      <IconUpload size={18} aria-hidden />
      <span>
        <span className="b">Drop files here, or choose</span>{" "}
        <span className="t3 dropzone-types">
          {FILE_TYPE_WORDS}, {FILE_LIMIT_WORDS}
        </span>
      </span>
    </button>
  );
}
