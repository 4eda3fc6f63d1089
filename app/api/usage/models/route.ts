import { refuseOtherMethods } from "@/server/files/http";
import { answerSpending } from "@/server/usage/service/answer-spending";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerSpending as GET, refuse as HEAD, refuse as OPTIONS };
