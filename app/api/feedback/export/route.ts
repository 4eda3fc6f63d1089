import { answerFeedbackExport } from "@/server/feedback/service/answer-export";
import { refuseOtherMethods } from "@/server/files/http";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerFeedbackExport as GET, refuse as HEAD, refuse as OPTIONS };
