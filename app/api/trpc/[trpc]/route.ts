import { answerTrpc, refuseMethod } from "@/server/trpc/http";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

// Named, because Next would answer both by itself.
export { answerTrpc as GET, answerTrpc as POST, refuseMethod as HEAD, refuseMethod as OPTIONS };
