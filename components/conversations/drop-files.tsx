"use client";

import { IconUpload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useDropzone } from "react-dropzone";

type Props = {
  className: string;
  isOff: boolean;
  onFiles: (files: File[]) => void;
  /** Gets what opens the browser's own dialog. */
  children: (choose: () => void) => ReactNode;
};

/** Takes files dropped anywhere on what it holds. */
export function DropFiles({ className, isOff, onFiles, children }: Props) {
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    disabled: isOff,
    onDrop: (files) => {
      if (files.length > 0) onFiles(files);
    },
  });
  return (
    <div {...getRootProps({ className, role: undefined })}>
      <input {...getInputProps({ "aria-label": "Files to attach" })} />
      {children(open)}
      {isDragActive && (
        <div className="drop-files">
          <p className="row b">
            <IconUpload size={18} aria-hidden /> Drop the files to attach them to this conversation
          </p>
        </div>
      )}
    </div>
  );
}
