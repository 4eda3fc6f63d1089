import { answerDownload } from "@/server/files/download";
import { refuseOtherMethods } from "@/server/files/http";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

const refuse = refuseOtherMethods("GET");

// Named, because Next would answer these by itself.
export { answerDownload as GET, refuse as HEAD, refuse as OPTIONS };
