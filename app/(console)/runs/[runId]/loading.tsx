import { RunSkeleton } from "@/components/runs/run-skeleton";

export default function RunLoading() {
  return <RunSkeleton />;
}
