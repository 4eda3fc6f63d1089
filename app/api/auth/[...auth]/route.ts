import { answerAuth } from "@/server/auth/http";
import { refuseMethod } from "@/server/trpc/http";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// Named, because Next would answer both by itself.
export { answerAuth as GET, answerAuth as POST, refuseMethod as HEAD, refuseMethod as OPTIONS };
