import { join } from 'node:path';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { type PrivateRedis, startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { Redis } from 'ioredis';
import { createTestFolder } from './create-test-folder.ts';
import { pauseProcess } from './processes/pause-process.ts';

/** A Redis server of a test file's own, to be flushed, killed and started again at will. */
export interface TestRedis extends AsyncDisposable {
  /** Stays the same over `restart`. */
  readonly url: string;
  /** FLUSHALL: what a Redis that lost its memory looks like. */
  flush(): Promise<void>;
  /** Leaves it no memory: every write is refused. `false` gives the memory back; so does a restart. */
  fill(isFull: boolean): Promise<void>;
  /** SIGSTOP: it accepts connections and says nothing; `false` lets it go on. */
  pause(isPaused: boolean): void;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, after `kill`, or restarts a running one. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Redis server on a free port, with an append-only file in a folder that goes away with it. */
export async function createTestRedis(): Promise<TestRedis> {
  const program = await ensureRedisServer(() => {});
  const folder = await createTestFolder();
  const start = (port?: number): Promise<PrivateRedis> =>
    startPrivateRedis({ folder: join(folder.path, 'redis'), program, ...(port === undefined ? {} : { port }) });
  let server = await start();
  const { url, port } = server;
  const stop = async (): Promise<void> => {
    await server.stop();
    await folder.remove();
  };
  return {
    url,
    flush: () => withClient(url, (client) => client.flushall()),
    fill: (isFull) => withClient(url, (client) => client.config('SET', 'maxmemory', isFull ? '1' : '0')),
    pause: (isPaused) => pauseProcess(server.pid, isPaused),
    kill: () => server.kill(),
    restart: async () => {
      await server.stop();
      server = await start(port);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function withClient(url: string, work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url, { connectTimeout: 2_000, maxRetriesPerRequest: 1, lazyConnect: true });
  await client.connect();
  try {
    await work(client);
  } finally {
    client.disconnect();
  }
}
