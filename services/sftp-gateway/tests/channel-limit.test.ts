import { createRequire } from 'node:module';
import { waitFor } from '@waybill/test-kit/wait-for';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isObject, property } from '../src/sftp/ssh2/insides-of-ssh2.ts';
import { ChannelClient } from './channel-client.ts';
import {
  ChannelModel,
  channelLimit as limit,
  init,
  stats,
  type ChannelKind,
  type ChannelStep,
} from './channel-model.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

/**
 * The tables of channels that ssh2 has created in this process: only those of the gateway, as the clients here do not
 * use ssh2.
 */
const tables = new Set<object>();
const table = property(createRequire(import.meta.url)('ssh2/lib/utils.js'), 'ChannelManager');
const prototype: unknown = typeof table === 'function' ? table.prototype : undefined;
const add = property(prototype, 'add');
if (!isObject(prototype) || typeof add !== 'function') throw new TypeError('ssh2: no table of channels');
Reflect.set(prototype, 'add', function (this: object, ...parameters: unknown[]): unknown {
  tables.add(this);
  const id: unknown = Reflect.apply(add, this, parameters);
  return id;
});

/** Entries of the last used table. */
function entries(): number {
  const channels = property([...tables].at(-1), '_channels');
  return isObject(channels) ? Object.keys(channels).length : Number.NaN;
}

const channel = fc.nat(40);
const step: fc.Arbitrary<ChannelStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      window: fc.constantFrom(0, 1, 2 ** 21, 2 ** 32 - 1),
      packetBytes: fc.constantFrom(2 ** 15, 2 ** 15, 1024, 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      channel,
      kind: fc.constantFrom<ChannelKind>('exec', 'shell', 'subsystem sftp', 'subsystem other'),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'init' as const,
        'stats' as const,
        'window' as const,
        'eof' as const,
        'close' as const,
        'close twice' as const,
      ),
      channel,
    }),
  },
);

it('60 sessions opened and closed repeatedly leave room for ten, and no more', async () => {
  await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
  const open = async (id: number) => {
    const answer = await client.open({ id });
    return 'remoteId' in answer ? [answer.remoteId] : [];
  };
  for (let round = 0; round < 60; round += 1) {
    for (const remoteId of await open(round)) for (let time = 0; time < 3; time += 1) client.sendClose(remoteId);
  }
  const opened: number[] = [];
  for (let round = 0; round < 60; round += 1) opened.push(...(await open(100 + round)));
  expect(opened).toHaveLength(limit);
  expect(entries()).toBe(limit);
});

it('channels closed while their responses waited for the client are free again, repeatedly', async () => {
  await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
  for (let round = 0; round < 3 * limit; round += 1) {
    const open = async () => {
      const answer = await client.open({ id: round, window: 0 });
      return 'remoteId' in answer ? { ...answer } : undefined;
    };
    const { remoteId } = await waitFor(open, { what: `place ${round}` });
    client.sendRequest(remoteId, 'subsystem', 'sftp');
    client.sendData(remoteId, init);
    client.sendData(remoteId, stats);
    client.sendClose(remoteId);
  }
  // Answered after all requests to the closed channels.
  await client.open({ id: 3 * limit, packetBytes: 0 });
  expect(entries()).toBe(0);
  expect(client.closes.size).toBe(3 * limit);
});

it('no sequence of opens, requests and closes opens an eleventh channel, or leaves anything behind', async () => {
  const sequence = fc.array(step, { minLength: 10, maxLength: 80 });
  const holds = fc.asyncProperty(sequence, async (steps) => {
    await using client = await ChannelClient.logIn(peer.gateway.sftpPort);
    const model = new ChannelModel(client, entries);
    for (const step of steps) await model.take(step);
    await model.finish();
  });
  await expect(fc.assert(holds, { numRuns: 40 })).resolves.toBeUndefined();
});
