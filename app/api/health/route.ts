import { pool } from "@/server/db";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Whether this web server answers and reaches its database. Says nothing else, so anybody may ask. */
export async function GET(): Promise<Response> {
  const ok = await pool()
    .query("select 1")
    .then(() => true)
    .catch(() => false);
  return Response.json({ ok }, { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } });
}
