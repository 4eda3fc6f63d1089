const HOME = "/";
const NOT_A_DESTINATION = /^\/(sign-in|setup|api)(\/|$)/;

/**
 * Where to go after signing in: the address asked for when it is a page of this installation, else home.
 * Anything a browser could read as another site ("//host", "/\host", "https:…") is refused.
 */
export function safeNext(asked: unknown): string {
  if (typeof asked !== "string" || !asked.startsWith("/")) return HOME;
  const here = "http://here.invalid";
  if (!URL.canParse(asked, here)) return HOME;
  const url = new URL(asked, here);
  if (url.origin !== here || NOT_A_DESTINATION.test(url.pathname)) return HOME;
  const path = url.pathname + url.search + url.hash;
  // A normalised path may itself begin with two slashes ("/.//host").
  return path.startsWith("//") ? HOME : path;
}
