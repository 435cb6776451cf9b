import { encodeRequest } from '@waybill/sftp-protocol/requests/encode-request';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpProtocolError } from '@waybill/sftp-protocol/wire/sftp-protocol-error';
import { describe, expect, it } from 'vitest';
import type { TransferBuffers } from '../transfers/transfer-buffers.ts';
import { RequestPump } from './request-pump.ts';

const handle = Buffer.from('h');
const write = (id: number, bytes = 10): SftpRequest => ({
  type: 'write',
  id,
  handle,
  offset: 0,
  data: Buffer.alloc(bytes),
});
const close = (id: number): SftpRequest => ({ type: 'close', id, handle });
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A pump whose requests are answered when the test says so. */
function createRig({ requestsInFlight = 4, bytesInFlight = 100 } = {}) {
  const started: number[] = [];
  const answers = new Map<number, () => void>();
  const refused: number[] = [];
  const ends: (SftpProtocolError | undefined)[] = [];
  const buffers = { taken: 0, released: 0 };
  const transferBuffers: TransferBuffers = {
    take: (length) => {
      buffers.taken += 1;
      const bytes = Buffer.alloc(length);
      return { bytes, packet: bytes, release: () => void (buffers.released += 1) };
    },
  };
  let paused = false;
  const pump = new RequestPump({
    transferBuffers,
    requestsInFlight,
    bytesInFlight,
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
    },
    answer: (request) => {
      const id = 'id' in request ? request.id : 0;
      started.push(id);
      return new Promise((resolve) => answers.set(id, resolve));
    },
    refuse: (id) => refused.push(id),
    finished: (error) => ends.push(error),
  });
  return {
    pump,
    buffers,
    started,
    refused,
    ends,
    isPaused: () => paused,
    send: (...requests: SftpRequest[]) => pump.receive(Buffer.concat(requests.map(encodeRequest))),
    finish: async (id: number) => {
      answers.get(id)?.();
      await settle();
    },
  };
}

describe('the request pump', () => {
  it('releases the memory of a WRITE when it is answered, and no other memory', async () => {
    const { pump, buffers, finish } = createRig();
    const stream = Buffer.concat([write(1), write(2), close(3), write(4)].map(encodeRequest));
    // Only packets that span chunks take memory.
    for (const byte of stream) pump.receive(Buffer.of(byte));
    expect(buffers.released).toBe(0);
    await finish(2);
    expect(buffers.released).toBe(1);
    await finish(1);
    await finish(3);
    expect(buffers.released).toBe(2);
    await finish(4);
    expect(buffers).toEqual({ taken: 4, released: 3 });
  });

  it('lets WRITEs overlap, and a CLOSE wait for all of them', async () => {
    const { send, started, finish } = createRig();
    send(write(1), write(2), close(3), write(4));
    expect(started).toEqual([1, 2]);
    await finish(2);
    expect(started).toEqual([1, 2]);
    await finish(1);
    expect(started).toEqual([1, 2, 3]);
    await finish(3);
    expect(started).toEqual([1, 2, 3, 4]);
  });

  it('pauses the channel at the limit of requests, and resumes it below', async () => {
    const { send, started, finish, isPaused } = createRig({ requestsInFlight: 2 });
    send(write(1), write(2), write(3));
    expect(started).toEqual([1, 2]);
    expect(isPaused()).toBe(true);
    await finish(1);
    expect(started).toEqual([1, 2, 3]);
    expect(isPaused()).toBe(false);
  });

  it('pauses the channel at the limit of bytes, and accepts a single request above it', async () => {
    const { send, started, finish, isPaused } = createRig({ bytesInFlight: 100 });
    send(write(1, 5000));
    expect(started).toEqual([1]);
    send(write(2, 60), write(3, 60));
    expect(started).toEqual([1]);
    await finish(1);
    expect(started).toEqual([1, 2]);
    expect(isPaused()).toBe(true);
    await finish(2);
    expect(started).toEqual([1, 2, 3]);
  });

  it('counts a READ by its requested bytes, limited to what a packet carries', () => {
    const { send, started } = createRig({ bytesInFlight: 600_000 });
    const read = (id: number): SftpRequest => ({ type: 'read', id, handle, offset: 0, length: 0xffff_ffff });
    send(read(1), read(2), read(3));
    expect(started).toEqual([1, 2]);
  });

  it('answers requests from before the end of the client, and finishes then', async () => {
    const { pump, send, ends, finish } = createRig();
    send(write(1), close(2));
    pump.end();
    expect(ends).toEqual([]);
    await finish(1);
    await finish(2);
    expect(ends).toEqual([undefined]);
  });

  it('refuses a malformed body and continues, but ends at a malformed frame', () => {
    const { pump, send, started, refused, ends } = createRig();
    pump.receive(Buffer.from([0, 0, 0, 9, 4, 0, 0, 0, 7, 0, 0, 0, 99]));
    expect(refused).toEqual([7]);
    send(write(1));
    expect(started).toEqual([1]);
    pump.receive(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    send(write(2));
    expect(started).toEqual([1]);
    expect(ends).toEqual([expect.objectContaining({ violation: 'oversized' })]);
  });

  it('treats an end in the middle of a packet as a violation', () => {
    const { pump, ends } = createRig();
    pump.receive(Buffer.from([0, 0, 0, 9, 4]));
    pump.end();
    expect(ends).toEqual([expect.objectContaining({ violation: 'truncated' })]);
  });

  it('starts nothing after it was stopped', async () => {
    const { pump, send, started, finish } = createRig();
    send(write(1), close(2));
    pump.stop();
    await finish(1);
    expect(started).toEqual([1]);
  });
});
