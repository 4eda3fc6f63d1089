/**
 * What a page may load and run: scripts and styles that bear its nonce, what those scripts load in turn, and everything
 * else from here only (promise 11). Text from models and tools can neither run a script nor make a browser call elsewhere.
 */
export function contentSecurityPolicy(nonce: string, { dev }: { dev: boolean }): string {
  return Object.entries({
    "default-src": ["'self'"],
    // Hot reload compiles in the browser.
    "script-src": [`'nonce-${nonce}'`, "'strict-dynamic'", ...(dev ? ["'unsafe-eval'"] : [])],
    // In development styles are put in as modules load, without a nonce.
    "style-src": dev ? ["'self'", "'unsafe-inline'"] : ["'self'", `'nonce-${nonce}'`],
    // Attributes, not sheets: Mantine passes sizes as custom properties in them.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(" ")}`)
    .join("; ");
}
