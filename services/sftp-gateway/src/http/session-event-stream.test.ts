import { userNameSchema } from '@waybill/contracts/values/user-name';
import { afterEach, expect, it, vi } from 'vitest';
import type { LiveSession } from '../domain/sessions/server-session.ts';
import { noActivity } from '../domain/sessions/session-activity.ts';
import type { FeedListener } from '../domain/sessions/session-feed.ts';
import { SessionEventStream } from './session-event-stream.ts';

afterEach(() => {
  vi.useRealTimers();
});

const live = (sessionId: string, bytesSent = 0): LiveSession => ({
  server: { clusterName: 'cluster1', peerName: 'peer1', serverName: 'sftp-server' },
  session: {
    sessionId,
    userName: userNameSchema.parse('acme'),
    clientIp: '/10.0.0.2:1',
    clientPort: '1',
    clientVersion: 'SSH',
    openedAt: 1,
  },
  activity: { ...noActivity, bytesSent },
});

function createStream(options: { pendingSessions?: number; heartbeatMs?: number; endsAt?: number } = {}) {
  const listeners: FeedListener[] = [];
  let snapshots = 0;
  const stream = new SessionEventStream({
    feed: {
      listen: (listener) => {
        listeners.push(listener);
        return () => listeners.splice(0);
      },
    },
    snapshot: async () => {
      snapshots += 1;
      return [live('snapshot')];
    },
    endsAt: Date.now() + 60_000,
    ...options,
  });
  return { stream, listeners, feed: () => listeners[0], snapshots: () => snapshots };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const textOf = (stream: SessionEventStream) => String(stream.read() ?? '');

it('keeps the newest changes for a slow reader, with bounded memory', async () => {
  const { stream, feed } = createStream();
  for (let round = 0; round < 20_000; round += 1) {
    feed()?.changed([{ kind: 'changed', live: live(`S${round % 100}`, round) }]);
  }
  stream.read(0);
  await turn();
  const text = textOf(stream) + textOf(stream);
  expect(text).toMatch(/^event: snapshot\n/u);
  expect(text.match(/event: changed/gu)).toHaveLength(100);
  expect(text).toContain('"bytesSent":19999');
  expect(text).not.toContain('"bytesSent":19899');
  stream.destroy();
});

it('sends a new snapshot to a reader that missed too much', async () => {
  const { stream, feed, snapshots } = createStream({ pendingSessions: 10 });
  stream.read(0);
  await turn();
  // Without a reader the buffer fills up, and further changes wait.
  for (let id = 0; id < 2_000; id += 1) feed()?.changed([{ kind: 'opened', live: live(`S${id}`) }]);
  expect(stream.readableLength).toBeLessThan(200_000);
  textOf(stream);
  await turn();
  await turn();
  expect(snapshots()).toBe(2);
  expect(textOf(stream)).toMatch(/event: snapshot\n/u);
  stream.destroy();
});

it('reports that a session opened even if it changed before that was sent', async () => {
  const { stream, feed } = createStream();
  feed()?.changed([{ kind: 'opened', live: live('A') }]);
  feed()?.changed([{ kind: 'changed', live: live('A', 7) }]);
  stream.read(0);
  await turn();
  const text = textOf(stream) + textOf(stream);
  expect(text).toMatch(/event: opened\ndata: .*"bytesSent":7/u);
  expect(text).not.toContain('event: changed');
  stream.destroy();
});

it('sends heartbeats while nothing happens, ends in time, and stops listening then', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const { stream, listeners } = createStream({ heartbeatMs: 20, endsAt: Date.now() + 150 });
  let text = '';
  stream.on('data', (chunk) => (text += String(chunk)));
  await turn();
  vi.advanceTimersByTime(149);
  await turn();
  expect(text.match(/: still here\n\n/gu)).toHaveLength(7);
  expect([stream.readableEnded, listeners.length]).toEqual([false, 1]);
  vi.advanceTimersByTime(1);
  await turn();
  expect([stream.readableEnded, listeners.length]).toEqual([true, 0]);
});
