const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A command as it would be typed into a shell, for eyes and copying: it is started without one. */
export function commandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map((part) => (PLAIN.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(" ");
}
