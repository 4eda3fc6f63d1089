import { refuseOtherMethods } from "@/server/files/http";
import { answerUpload } from "@/server/files/upload";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("POST");

// Named, because Next would answer these by itself.
export { answerUpload as POST, refuse as HEAD, refuse as OPTIONS };
