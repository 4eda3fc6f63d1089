import { FeedbackHead } from "@/components/feedback/feedback-head";
import { FeedbackSkeleton } from "@/components/feedback/feedback-skeleton";

export default function FeedbackLoading() {
  return (
    <div className="page">
      <FeedbackHead />
      <div className="filterbar" />
      <FeedbackSkeleton />
    </div>
  );
}
