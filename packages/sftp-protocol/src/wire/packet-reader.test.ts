import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacketReader } from './packet-reader.ts';
import { protocolLimits } from './protocol-limits.ts';
import { SftpProtocolError } from './sftp-protocol-error.ts';

function framed(packet: Uint8Array): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(packet.length);
  return Buffer.concat([prefix, packet]);
}

function readAll(reader: PacketReader): Buffer[] {
  const packets: Buffer[] = [];
  for (let packet = reader.read(); packet !== undefined; packet = reader.read()) packets.push(Buffer.from(packet));
  return packets;
}

function violationOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof SftpProtocolError) return error.violation;
    throw error;
  }
  return undefined;
}

describe('PacketReader', () => {
  it('gives back the same packets however the stream is cut', () => {
    const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(packets, cuts, (packets, cuts) => {
        const stream = Buffer.concat(packets.map(framed));
        const reader = new PacketReader();
        const read: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1;
          reader.push(Buffer.from(stream.subarray(at, at + size)));
          at += size;
          if (turn % 3 !== 0) read.push(...readAll(reader));
        }
        read.push(...readAll(reader));
        expect(read).toEqual(packets.map((packet) => Buffer.from(packet)));
        expect(reader.midPacket).toBe(false);
      }),
    );
  });

  it('does not copy a packet that lies whole in one chunk', () => {
    const chunk = framed(Buffer.from('abcdef'));
    const reader = new PacketReader();
    reader.push(chunk);
    expect(reader.read()?.buffer).toBe(chunk.buffer);
  });

  it('refuses a packet above the limit as soon as its length is known', () => {
    const reader = new PacketReader();
    reader.push(Buffer.from([0, 4, 0]));
    expect(reader.read()).toBeUndefined();
    reader.push(Buffer.from([1]));
    expect(violationOf(() => reader.read())).toBe('oversized');
  });

  it('accepts a packet of exactly the limit', () => {
    const reader = new PacketReader();
    reader.push(framed(Buffer.alloc(protocolLimits.packetBytes, 7)));
    expect(reader.read()?.length).toBe(protocolLimits.packetBytes);
  });

  it('refuses a packet without a type', () => {
    const reader = new PacketReader();
    reader.push(Buffer.alloc(4));
    expect(violationOf(() => reader.read())).toBe('empty');
  });

  it('distinguishes an end in the middle of a packet from an end between packets', () => {
    const reader = new PacketReader();
    expect(reader.midPacket).toBe(false);
    reader.push(Buffer.from([0, 0]));
    reader.read();
    expect(reader.midPacket).toBe(true);
    reader.push(Buffer.from([0, 2, 1]));
    reader.read();
    expect(reader.midPacket).toBe(true);
    reader.push(Buffer.from([2]));
    expect(reader.read()).toEqual(Buffer.from([1, 2]));
    expect(reader.midPacket).toBe(false);
  });
});
