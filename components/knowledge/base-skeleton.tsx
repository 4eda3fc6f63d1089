import "./knowledge.css";
import { Skeleton } from "@mantine/core";
import { PageHead } from "@/components/ui/page-head";
import { DocumentsSkeleton } from "./documents-skeleton";

export function BaseSkeleton() {
  return (
    <div className="base">
      <PageHead title={<Skeleton height={20} width={220} />} meta={<Skeleton height={12} width={320} />} />
      <div className="filterbar" />
      <DocumentsSkeleton />
    </div>
  );
}
