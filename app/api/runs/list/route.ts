import { refuseOtherMethods } from "@/server/files/http";
import { answerRunList } from "@/server/runs/service/answer-run-list";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerRunList as GET, refuse as HEAD, refuse as OPTIONS };
