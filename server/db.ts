import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "@/prisma/generated/client";
import { openPool } from "./database-pool";
import { env } from "./env";

/** One pool and one Prisma client a process, kept over hot reloads. */
type Handles = { pool?: pg.Pool; prisma?: PrismaClient };
const handles = globalThis as typeof globalThis & { troupe?: Handles };
handles.troupe ??= {};
const kept = handles.troupe;

export function pool(): pg.Pool {
  kept.pool ??= openPool({ url: env().DATABASE_URL, max: 8 });
  return kept.pool;
}

export function db(): PrismaClient {
  kept.prisma ??= new PrismaClient({ adapter: new PrismaPg(pool()) });
  return kept.prisma;
}

export async function closeDb(): Promise<void> {
  const { prisma, pool } = kept;
  kept.prisma = undefined;
  kept.pool = undefined;
  await prisma?.$disconnect();
  await pool?.end();
}
