import { Progress } from "@mantine/core";
import { formatCount } from "@/components/ui/format";
import type { BackupsView } from "@/server/system/schema";

/** How far the backup is. On the embedded database nothing else is answered meanwhile, so it may stand still and then be done. */
export function BackupProgress({ taking }: { taking: BackupsView["taking"] }) {
  const total = taking?.rowsTotal ?? 0;
  const done = taking?.rowsDone ?? 0;
  const says = total > 0 ? `${formatCount(done)} of ${formatCount(total)} rows` : "Counting rows";
  return (
    <div className="backup-progress">
      <p role="status">Taking a backup: {says}</p>
      <Progress
        size="sm"
        value={total > 0 ? (done / total) * 100 : 2}
        aria-label="Backup"
        transitionDuration={90}
        color="var(--st-running)"
      />
    </div>
  );
}
