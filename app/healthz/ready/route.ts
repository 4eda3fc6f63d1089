import { refuseOtherMethods } from "@/server/files/http";
import { answerReady } from "@/server/system/service/answer-health";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerReady as GET, refuse as OPTIONS };
