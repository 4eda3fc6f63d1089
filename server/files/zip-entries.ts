/** What a ZIP's central directory says of one entry. Sizes are claims: nothing may be trusted before it is unpacked. */
export type ZipEntry = {
  name: string;
  method: number;
  isEncrypted: boolean;
  packedBytes: number;
  claimedBytes: number;
  /** Where its local header lies in the file. */
  headerAt: number;
};

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_BYTES = 22;
const MOST_COMMENT_BYTES = 65_535;
const MOST_ENTRIES = 10_000;

/**
 * Entries of a ZIP from its end: `tail` is the file's last bytes and `sizeBytes` its whole size. Null when this is no
 * ZIP we read: no directory, one that does not lie within the tail, ZIP64, or more than 10,000 entries.
 */
export function listZipEntries(tail: Uint8Array, sizeBytes: number): ZipEntry[] | null {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = findEnd(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  const directoryBytes = view.getUint32(end + 12, true);
  const directoryAt = view.getUint32(end + 16, true) - (sizeBytes - tail.byteLength);
  if (count > MOST_ENTRIES || directoryAt < 0 || directoryAt + directoryBytes > end) return null;

  const entries: ZipEntry[] = [];
  let at = directoryAt;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== DIRECTORY_ENTRY) return null;
    const nameBytes = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(tail.subarray(at + 46, at + 46 + nameBytes)),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      packedBytes: view.getUint32(at + 20, true),
      claimedBytes: view.getUint32(at + 24, true),
      headerAt: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The packed bytes of an entry in the whole file; null when its local header is not where the directory says. */
export function packedBytesOf(file: Uint8Array, entry: ZipEntry): Uint8Array | null {
  if (entry.headerAt + 30 > file.byteLength) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(entry.headerAt, true) !== LOCAL_HEADER) return null;
  const from =
    entry.headerAt + 30 + view.getUint16(entry.headerAt + 26, true) + view.getUint16(entry.headerAt + 28, true);
  if (from + entry.packedBytes > file.byteLength) return null;
  return file.subarray(from, from + entry.packedBytes);
}

function findEnd(view: DataView): number | null {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - MOST_COMMENT_BYTES; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return null;
}
