import { EditorSkeleton } from "@/components/editor/editor-skeleton";

export default function AgentLoading() {
  return <EditorSkeleton label="Loading the agent" />;
}
