import { IconMapOff } from "@tabler/icons-react";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export const metadata = { title: "Not found" };

export default function NotFoundPage() {
  return (
    <main className="full-page">
      <EmptyState
        icon={IconMapOff}
        title="There is nothing at this address"
        action={<LinkButton href="/">Go to Home</LinkButton>}
      >
        It may have been deleted, or it may belong to a workspace you are not in.
      </EmptyState>
    </main>
  );
}
