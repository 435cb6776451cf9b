import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { property } from '../src/sftp/ssh2/insides-of-ssh2.ts';

const requireOfSsh2 = createRequire(import.meta.url);
const Channel = property(requireOfSsh2('ssh2/lib/Channel.js'), 'Channel');
const Protocol: unknown = requireOfSsh2('ssh2/lib/protocol/Protocol.js');

/** Accepts at most a hundred packets: a writer that sends on would never end. */
class Wire {
  readonly packets: Buffer[] = [];
  readonly _writeOut = (): void => {};
  readonly channelEOF = (): void => {};
  readonly channelClose = (): void => {};
  readonly channelDataAll: unknown =
    typeof Protocol === 'function' ? property(Protocol.prototype, 'channelDataAll') : undefined;

  channelData(_channel: number, data: Buffer): void {
    this.packets.push(data);
    if (this.packets.length > 100) throw new Error('more than a hundred packets');
  }

  channelExtData(channel: number, data: Buffer): void {
    this.channelData(channel, data);
  }
}

/** Runs it, and interrupts it after a while: a loop that sends nothing would not end, and no test could be failed. */
function endingSoon(run: () => unknown): void {
  runInNewContext('run()', { run }, { timeout: 30_000 });
}

function write(
  stream: 'stdout' | 'stderr',
  packetSize: number,
): Promise<{ error: unknown; packets: readonly Buffer[] }> {
  if (typeof Channel !== 'function') throw new TypeError('ssh2: no Channel');
  const wire = new Wire();
  const outgoing = { id: 0, window: 1_000, packetSize, state: 'open' };
  const client = { _protocol: wire };
  const channel: unknown = Reflect.construct(Channel, [
    client,
    { type: 'session', incoming: {}, outgoing },
    { server: true },
  ]);
  const target = property(channel, stream);
  const on = property(target, 'on');
  const send = property(target, 'write');
  if (typeof on !== 'function' || typeof send !== 'function') throw new TypeError('ssh2: no stream');
  Reflect.apply(on, target, ['error', () => {}]);
  return new Promise((resolve) => {
    const written = (error: unknown) => resolve({ error, packets: wire.packets });
    endingSoon(() => Reflect.apply(send, target, [Buffer.from('sentence'), written]));
  });
}

it.each(['stdout', 'stderr'] as const)('a channel of packets without data fails the write: %s', async (stream) => {
  const { error, packets } = await write(stream, 0);
  expect(error).toMatchObject({ message: 'The channel takes packets without data only' });
  expect(packets).toEqual([]);
});

it.each(['stdout', 'stderr'] as const)('a channel of packets of one byte gets one byte in each: %s', async (stream) => {
  const { error, packets } = await write(stream, 1);
  expect(error ?? undefined).toBeUndefined();
  expect(packets.map(String)).toEqual(['s', 'e', 'n', 't', 'e', 'n', 'c', 'e']);
});
