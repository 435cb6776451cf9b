/** Bytes preceded by their length (RFC 4251, section 5). */
export function string(bytes: Buffer | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
}

/** The strings in a packet, one after the other. */
export function stringsOf(bytes: Buffer): Buffer[] {
  const strings = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    strings.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

/** The bytes of a positive number in mpint form, without the length. */
export function mpint(number: Buffer): Buffer {
  let start = 0;
  while (number[start] === 0) start += 1;
  const bytes = number.subarray(start);
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}
