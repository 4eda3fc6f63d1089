import { refuseOtherMethods } from "@/server/files/http";
import { answerBackupUpload } from "@/server/system/service/answer-upload";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("POST");

// Named, because Next would answer these by itself.
export { answerBackupUpload as POST, refuse as HEAD, refuse as OPTIONS };
