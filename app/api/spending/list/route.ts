import { refuseOtherMethods } from "@/server/files/http";
import { answerSpendingList } from "@/server/spending/service/answer-list";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerSpendingList as GET, refuse as HEAD, refuse as OPTIONS };
