import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { isLocalName, reachOf } from "./address-rules";
import { OutgoingRefusedError } from "./refused";
import type { Resolver } from "./targets";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Two pools, so that a connection to a private host that one workspace was allowed is never lent to a call that was not:
 * `open` connects to public addresses only, `allowed` also to the private host its caller was allowed.
 */
export type GuardedAgents = { open: Agent; allowed: Agent };

/** The check is where the socket is made: the address that was judged is the one connected to, whatever DNS says next. */
export function guardedAgents(resolver: Resolver): GuardedAgents {
  return { open: agent(resolver, OPEN), allowed: agent(resolver, ALLOWED) };
}

type Policy = {
  /** An address a name led to. */
  resolved(address: string): boolean;
  /** A host for which nobody is asked: an address, or a name of this machine. */
  written(host: string): boolean;
};

const OPEN: Policy = {
  resolved: (address) => reachOf(address) === "public",
  written: (host) => !isLocalName(host) && reachOf(host) === "public",
};
/** An owner may write out any address; a name, though, must not be turned to a cloud's own services later. */
const ALLOWED: Policy = { resolved: (address) => reachOf(address) !== "special", written: () => true };

function agent(resolver: Resolver, policy: Policy): Agent {
  const lookup: LookupFunction = (host, options, callback) => {
    resolver(host)
      .then((addresses) => {
        const [first] = addresses;
        if (!first) throw Object.assign(new Error("The name has no address."), { code: "ENOTFOUND" });
        // One private address among public ones is enough: which of them answers is not ours to choose.
        if (!addresses.every(({ address }) => policy.resolved(address))) throw new OutgoingRefusedError("private-host");
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, "", 0));
  };
  const connector = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });
  return new Agent({
    // Streams may be quiet for long: whoever calls brings the signal that ends the call.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      // Without a look-up there is nothing above to judge an address that was written out.
      const host = options.hostname.replace(/^\[|\]$/g, "").toLowerCase();
      const isWritten = isIP(host) !== 0 || isLocalName(host);
      if (isWritten && !policy.written(host)) callback(new OutgoingRefusedError("private-host"), null);
      else connector(options, callback);
    },
  });
}
