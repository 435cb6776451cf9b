import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRequest } from '../src/requests/decode-request.ts';
import { encodeRequest } from '../src/requests/encode-request.ts';
import { PacketReader } from '../src/wire/packet-reader.ts';
import { protocolLimits } from '../src/wire/protocol-limits.ts';
import { SftpProtocolError } from '../src/wire/sftp-protocol-error.ts';

/** Every type of the draft, EXTENDED and its reply, and three invalid ones. */
const packetTypes = [...Array.from({ length: 20 }, (_, index) => index + 1), 101, 105, 200, 201, 0, 99, 255];
const extensionNames = [
  'posix-rename@openssh.com',
  'fsync@openssh.com',
  'limits@openssh.com',
  'statvfs@openssh.com',
  'fstatvfs@openssh.com',
  'expand-path@openssh.com',
  'copy-data',
  'check-file',
  'check-file-handle',
  'check-file-name',
  'home-directory',
  'nothing@example.com',
];

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const sshString = (bytes: Uint8Array): Buffer => Buffer.concat([uint32(bytes.length), bytes]);

/** Fields of requests, valid and invalid: strings, numbers at their limits, wrong lengths. */
const fields = fc.oneof(
  fc.uint8Array({ maxLength: 24 }).map(sshString),
  fc.constantFrom('/', '/a', '..', '').map((text) => sshString(Buffer.from(text))),
  fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff).map(uint32),
  fc.constantFrom('0000000000000000', 'ffffffffffffffff', '001fffffffffffff').map((text) => Buffer.from(text, 'hex')),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
);
const packets = fc
  .record({
    type: fc.constantFrom(...packetTypes),
    id: fc.nat(0xffff_ffff),
    extension: fc.option(fc.constantFrom(...extensionNames), { nil: undefined }),
    body: fc.array(fields, { maxLength: 6 }),
  })
  .map(({ type, id, extension, body }) =>
    Buffer.concat([
      Buffer.from([type]),
      uint32(id),
      ...(extension === undefined ? [] : [sshString(Buffer.from(extension))]),
      ...body,
    ]),
  );

function decodeOrRefuse(packet: Buffer): ReturnType<typeof decodeRequest> | SftpProtocolError {
  try {
    return decodeRequest(packet);
  } catch (error) {
    if (error instanceof SftpProtocolError) return error;
    throw error;
  }
}

test('200 000 packets are each a request that reads the same when it is encoded again, or a refusal', () => {
  let requests = 0;
  fc.assert(
    fc.property(fc.array(packets, { minLength: 20, maxLength: 20 }), (sequence) => {
      for (const packet of sequence) {
        const decoded = decodeOrRefuse(packet);
        if (decoded instanceof SftpProtocolError) continue;
        requests += 1;
        const again = decodeRequest(encodeRequest(decoded).subarray(4));
        if (!isDeepStrictEqual(again, decoded))
          throw new Error(`${JSON.stringify(decoded)} became ${JSON.stringify(again)}`);
      }
    }),
    { numRuns: 10_000 },
  );
  expect(requests).toBeGreaterThan(20_000);
});

/** A stream that may lie about a length anywhere. */
const streams = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: packets.map((packet) => Buffer.concat([uint32(packet.length), packet])) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
  ),
  { maxLength: 12 },
);
const cutSizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 });

test('a stream is cut into the same packets however it arrives, up to where it breaks', () => {
  const readAll = (chunks: Iterable<Buffer>): { packets: Buffer[]; violation?: string } => {
    const reader = new PacketReader();
    const read: Buffer[] = [];
    try {
      for (const chunk of chunks) {
        reader.push(chunk);
        for (let packet = reader.read(); packet !== undefined; packet = reader.read()) read.push(Buffer.from(packet));
      }
      return { packets: read };
    } catch (error) {
      if (!(error instanceof SftpProtocolError)) throw error;
      return { packets: read, violation: error.violation };
    }
  };
  let broken = 0;
  fc.assert(
    fc.property(streams, cutSizes, (parts, sizes) => {
      const stream = Buffer.concat(parts);
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        chunks.push(stream.subarray(at, at + size));
        at += size;
      }
      const whole = readAll([stream]);
      if (whole.violation !== undefined) broken += 1;
      if (!isDeepStrictEqual(readAll(chunks), whole)) throw new Error('the cuts made a difference');
      if (whole.packets.some(({ length }) => length > protocolLimits.packetBytes))
        throw new Error('a packet is too large');
    }),
    { numRuns: 20_000 },
  );
  expect(broken).toBeGreaterThan(1_000);
});
