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
