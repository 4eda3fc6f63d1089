import ipaddr from "ipaddr.js";

/** What may be connected to: anybody, only where an owner allowed the host, or only where the owner wrote this address. */
export type Reach = "public" | "private" | "special";

/**
 * Judges an address as the resolver or a URL gives it. IPv6 forms that carry an IPv4 address are judged by what they
 * carry; everything that is not globally routable unicast is private, and link-local (where clouds serve their
 * credentials), multicast and the like are special: a name that leads there is never followed.
 */
export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!ipaddr.isValid(bare)) return "special";
  const parsed = ipaddr.parse(bare);
  return parsed instanceof ipaddr.IPv6 ? reachOfV6(parsed) : reachOfV4(parsed);
}

const LOCAL_NETWORKS = ["private", "loopback", "carrierGradeNat", "uniqueLocal"];

function reachOfV4(address: ipaddr.IPv4): Reach {
  const range = address.range();
  if (range === "unicast") return "public";
  return LOCAL_NETWORKS.includes(range) ? "private" : "special";
}

function reachOfV6(address: ipaddr.IPv6): Reach {
  const [first = 0, second = 0, ...rest] = address.parts;
  const carried = () => new ipaddr.IPv4(address.toByteArray().slice(12));
  if (address.isIPv4MappedAddress()) return reachOfV4(carried());
  // NAT64: what a network without IPv4 reaches the rest of the internet through.
  if (first === 0x64 && second === 0xff9b && rest.slice(0, 4).every((part) => part === 0)) return reachOfV4(carried());
  const range = address.range();
  if (LOCAL_NETWORKS.includes(range)) return "private";
  const isGlobal = (first & 0xe000) === 0x2000;
  return range === "unicast" && isGlobal ? "public" : "special";
}

/** Names that mean this machine, whatever a resolver says of them. `host` is in small letters, without a last dot. */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}
