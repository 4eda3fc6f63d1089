import { setAccess } from "@/components/trpc/access";
import { type UploadResult, uploadResult } from "@/server/knowledge/schema";

/** Why a file was not taken. `again`: sending the very same file once more may work. */
export class UploadRefusal extends Error {
  readonly again: boolean;

  constructor(sentence: string, again: boolean) {
    super(sentence);
    this.again = again;
  }
}

export type SendFile = (upload: {
  baseId: string;
  file: File;
  signal: AbortSignal;
  /** Bytes that have left so far. */
  onProgress: (sentBytes: number) => void;
}) => Promise<UploadResult>;

/**
 * One file through the upload route, as it is. XMLHttpRequest, because fetch cannot tell how much has been sent.
 * Rejects with an UploadRefusal, or with the signal's reason when it was cancelled.
 */
export const sendFile: SendFile = (upload) => sendFileTo("baseId")(upload);

/** The same into a conversation: then `baseId` is the id of that. */
export const sendFileTo =
  (place: "baseId" | "conversationId"): SendFile =>
  ({ baseId, file, signal, onProgress }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const query = new URLSearchParams({ [place]: baseId, name: file.name });
      request.open("POST", `/api/upload?${query}`);
      request.setRequestHeader("content-type", "application/octet-stream");
      request.upload.onprogress = (event) => onProgress(event.loaded);
      request.onload = () => {
        const answer = read(request.responseText);
        const stored = uploadResult.safeParse(answer);
        if (request.status === 401) setAccess("signed-out");
        if (request.status < 300 && stored.success) resolve(stored.data);
        else reject(refusal(request.status, answer));
      };
      // The file on disk changed or went while it was read, or the line broke: the browser does not tell them apart.
      request.onerror = () =>
        reject(new UploadRefusal("The connection broke before all of it was sent. Nothing was added.", true));
      request.onabort = () => reject(signal.reason);
      signal.addEventListener("abort", () => request.abort(), { once: true });
      request.send(file);
    });

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusal(status: number, answer: unknown): UploadRefusal {
  const sentence = (answer as { error?: { message?: unknown } } | null)?.error?.message;
  const again = status >= 500 || status === 401 || status === 408 || status === 409 || status === 429 || status < 400;
  if (typeof sentence === "string" && sentence) return new UploadRefusal(sentence, again);
  return new UploadRefusal(
    status === 413
      ? "Something between here and the server refuses files of this size. Ask whoever runs the proxy to allow 50 MB."
      : "The server did not answer as expected. Nothing was added.",
    again || status !== 413,
  );
}
