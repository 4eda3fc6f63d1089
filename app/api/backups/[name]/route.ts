import { refuseOtherMethods } from "@/server/files/http";
import { answerBackupDownload } from "@/server/system/service/answer-download";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerBackupDownload as GET, refuse as HEAD, refuse as OPTIONS };
