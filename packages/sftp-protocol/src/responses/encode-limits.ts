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
