import { refuseOtherMethods } from "@/server/files/http";
import { answerRunFile } from "@/server/runs/service/answer-run-file";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerRunFile as GET, refuse as HEAD, refuse as OPTIONS };
