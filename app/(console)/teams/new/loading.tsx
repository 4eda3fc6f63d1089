import { EditorSkeleton } from "@/components/editor/editor-skeleton";

export default function TeamLoading() {
  return <EditorSkeleton label="Loading the team" />;
}
