/**
 * The body of the extended reply to check-file (draft-ietf-secsh-filexfer-extensions-00, section 3): two strings, then the
 * hashes one after the other without lengths.
 */
export function encodeFileHashes(algorithm: string, hashes: readonly Buffer[]): Buffer {
  return Buffer.concat([stringOf('check-file'), stringOf(algorithm), ...hashes]);
}

function stringOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

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

/** The values of limits@openssh.com; all in bytes except `openHandles`. */
export interface ServerLimits {
  readonly packetBytes: number;
  readonly readBytes: number;
  readonly writeBytes: number;
  readonly openHandles: number;
}

/** The body of the extended reply to limits@openssh.com (OpenSSH PROTOCOL, section 4.8): four uint64. */
export function encodeLimits(limits: ServerLimits): Buffer {
  const body = Buffer.alloc(32);
  const values = [limits.packetBytes, limits.readBytes, limits.writeBytes, limits.openHandles];
  for (const [index, value] of values.entries()) body.writeBigUInt64BE(BigInt(value), index * 8);
  return body;
}
