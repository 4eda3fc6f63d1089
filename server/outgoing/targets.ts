import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLocalName, reachOf } from "./address-rules";
import { OutgoingRefusedError } from "./refused";

export type ResolvedAddress = { address: string; family: number };
/** Gives every address of a name, as the system's resolver does. */
export type Resolver = (host: string) => Promise<ResolvedAddress[]>;

export const systemResolver: Resolver = (host) => lookup(host, { all: true });

/** Where a URL leads: `host` in small letters without a last dot or brackets, `port` also where the scheme implies it. */
export type Target = { host: string; port: number; key: string };

/**
 * Reads a URL that is to be called; its parser has already normalised numbers in all bases and unicode dots.
 * Throws OutgoingRefusedError bad-url.
 */
export function readTarget(url: string | URL): { url: URL; target: Target } {
  const parsed = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    throw new OutgoingRefusedError("bad-url");
  }
  // "localhost." is localhost; with the dot the name would also be asked for in TLS and in Host.
  if (parsed.hostname.endsWith(".")) parsed.hostname = parsed.hostname.slice(0, -1);
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const port = Number(parsed.port) || (parsed.protocol === "https:" ? 443 : 80);
  if (!host || host.endsWith(".")) throw new OutgoingRefusedError("bad-url");
  return { url: parsed, target: { host, port, key: `${host}:${port}` } };
}

/** "host:port" of a web address, as the allow list keeps it. Throws OutgoingRefusedError bad-url. */
export function hostPortOf(url: string | URL): string {
  return readTarget(url).target.key;
}

/** For screens, before a call is made: would the guard ask for an owner's permission? False for a name nobody knows. */
export async function isPrivateTarget(url: string | URL, resolver: Resolver = systemResolver): Promise<boolean> {
  const { host } = readTarget(url).target;
  if (isLocalName(host)) return true;
  if (isIP(host)) return reachOf(host) !== "public";
  const addresses = await resolver(host).catch(() => []);
  return addresses.some(({ address }) => reachOf(address) !== "public");
}
