import { z } from "zod";

const stored = z.object({ name: z.string() });
const refused = z.object({ error: z.object({ message: z.string() }) });

/** Sends a file as it is. XMLHttpRequest, because fetch cannot tell how much has been sent. Resolves with its name there. */
export function sendBackup(file: File, onProgress: (sentBytes: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/backups");
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () => {
      const answer = read(request.responseText);
      const kept = stored.safeParse(answer);
      if (request.status < 300 && kept.success) resolve(kept.data.name);
      else reject(new Error(whyRefused(request.status, answer)));
    };
    request.onerror = () => reject(new Error("The connection broke before all of it was sent. Nothing was kept."));
    request.send(file);
  });
}

function whyRefused(status: number, answer: unknown): string {
  const told = refused.safeParse(answer);
  if (told.success) return told.data.error.message;
  if (status === 413) {
    return "Something between here and the server refuses files of this size. Ask whoever runs the proxy to allow it, or copy the file into the server's folder of backups.";
  }
  return "The server did not answer as expected. Nothing was kept.";
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
