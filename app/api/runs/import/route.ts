import { refuseOtherMethods } from "@/server/files/http";
import { answerRunImport } from "@/server/runs/service/answer-run-import";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("POST");

// Named, because Next would answer these by itself.
export { answerRunImport as POST, refuse as HEAD, refuse as OPTIONS };
