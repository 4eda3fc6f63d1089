import { formatBytes } from "@/components/ui/format";
import { RelativeTime } from "@/components/ui/relative-time";
import type { BackupsView } from "@/server/system/schema";

/** Where the key is, said plainly: a backup without it opens all but the stored keys. */
export function BackupFacts({ view: { keyFile, folder, freeBytes, restored } }: { view: BackupsView }) {
  return (
    <div className="system-facts">
      <p>
        <span className="b">The secrets key is not in any backup.</span>{" "}
        {keyFile ? (
          <>
            It is in the file <code>{keyFile}</code> on the server. Keep a copy of it in another place than the backups:
          </>
        ) : (
          <>It is what the variable SECRETS_KEY holds where Troupe is started. Keep it apart from the backups:</>
        )}{" "}
        without it, stored keys of providers and tool servers must be entered again after a restore.
      </p>
      <p>
        Backups are kept on the server in <code>{folder}</code>
        {freeBytes === null ? "" : `, where ${formatBytes(freeBytes)} are free`}. On the command line:{" "}
        <code>npm run backup</code> and <code>npm run restore</code>.
      </p>
      {restored && (
        <p>
          What is here now was restored from <code>{restored.from}</code> <RelativeTime at={restored.at} />.
        </p>
      )}
    </div>
  );
}
