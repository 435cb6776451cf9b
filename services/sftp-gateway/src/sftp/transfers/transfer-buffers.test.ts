import { describe, expect, it } from 'vitest';
import { createTransferBuffers } from './transfer-buffers.ts';

const kibibyte = 1024;

describe('transfer buffers', () => {
  it('are as long as requested', () => {
    const buffers = createTransferBuffers();
    for (const length of [1, 4_096, 30_000, 32_768, 65_536, 100_000, 255 * kibibyte, 256 * kibibyte]) {
      expect(buffers.take(length).bytes).toHaveLength(length);
    }
  });

  it('have room for the header of a packet in front', () => {
    const { bytes, packet } = createTransferBuffers().take(32 * kibibyte);
    expect(packet).toHaveLength(13 + bytes.length);
    expect([bytes.buffer, bytes.byteOffset]).toEqual([packet.buffer, packet.byteOffset + 13]);
  });

  it('are reused after they are released, and never before', () => {
    const buffers = createTransferBuffers();
    const first = buffers.take(255 * kibibyte);
    const second = buffers.take(255 * kibibyte);
    expect(second.bytes.buffer).not.toBe(first.bytes.buffer);
    first.release?.();
    expect(buffers.take(250 * kibibyte).bytes.buffer).toBe(first.bytes.buffer);
    expect(buffers.take(255 * kibibyte).bytes.buffer).not.toBe(second.bytes.buffer);
  });

  it('take at most twice the requested length, however short that is', () => {
    const buffers = createTransferBuffers();
    for (let length = 1; length <= 256 * kibibyte; length += 997) {
      expect(buffers.take(length).bytes.buffer.byteLength).toBeLessThanOrEqual(2 * length + 13);
    }
  });

  it('are kept up to 4 MiB of a size', () => {
    const buffers = createTransferBuffers();
    const taken = Array.from({ length: 40 }, () => buffers.take(256 * kibibyte));
    for (const { release } of taken) release?.();
    const known = new Set(taken.map(({ bytes }) => bytes.buffer));
    const again = Array.from({ length: 40 }, () => buffers.take(256 * kibibyte).bytes.buffer);
    expect(again.filter((buffer) => known.has(buffer))).toHaveLength(16);
  });
});
