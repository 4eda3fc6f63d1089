/**
 * The arguments of an earlier call as they are sent back. Several servers parse them and refuse the whole conversation when one is
 * malformed.
 */
export function sentArguments(written: string): string {
  try {
    JSON.parse(written);
    return written;
  } catch {
    return JSON.stringify({ malformed_arguments: written });
  }
}
