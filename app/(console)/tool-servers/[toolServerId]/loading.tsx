import { ToolServerSkeleton } from "@/components/tool-servers/tool-server-skeleton";

export default function ToolServerLoading() {
  return <ToolServerSkeleton />;
}
