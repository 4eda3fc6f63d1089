import { answerDecisionList } from "@/server/decisions/service/answer-list";
import { refuseOtherMethods } from "@/server/files/http";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerDecisionList as GET, refuse as HEAD, refuse as OPTIONS };
