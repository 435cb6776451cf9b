/** The values of statvfs. */
export interface FileSystemFigures {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Files and folders, where their number has a limit. */
  readonly totalEntries?: number;
  readonly freeEntries?: number;
  readonly readOnly: boolean;
}

const blockBytes = 4_096;
const nameBytes = 255;
/** Files are rows: without a limit there is no number to report, but clients divide by it. */
const manyEntries = 0x1_0000_0000;
const flagReadOnly = 1;
const flagNoSetUid = 2;

/** The body of the extended reply to statvfs@openssh.com (OpenSSH PROTOCOL, section 4.4): eleven uint64. */
export function encodeFileSystem(figures: FileSystemFigures): Buffer {
  const { totalBytes, freeBytes, readOnly, totalEntries = manyEntries, freeEntries = manyEntries } = figures;
  const free = Math.floor(freeBytes / blockBytes);
  const flags = flagNoSetUid | (readOnly ? flagReadOnly : 0);
  const total = Math.max(1, Math.floor(totalBytes / blockBytes));
  const values = [
    blockBytes,
    blockBytes,
    total,
    free,
    free,
    Math.max(1, totalEntries),
    freeEntries,
    freeEntries,
    0,
    flags,
    nameBytes,
  ];
  const body = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) body.writeBigUInt64BE(BigInt(value), index * 8);
  return body;
}
