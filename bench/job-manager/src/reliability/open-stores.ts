import { join } from 'node:path';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';

/** A server that a measurement can crash. */
export interface Store {
  /** Stays the same over a restart. */
  readonly url: string;
  readonly pid: number;
  /** SIGKILL, then a start on the same port and with the same data. */
  crash(): Promise<void>;
}

/** PostgreSQL with fsync, and Redis with its append-only file. */
export interface Stores extends AsyncDisposable {
  readonly postgres: Store;
  readonly redis: Store;
}

/** Starts both in a folder. */
export async function openStores(folder: string): Promise<Stores> {
  const resources = new AsyncDisposableStack();
  const program = await ensureRedisServer((line) => process.stdout.write(`${line}\n`));
  const postgres = await openStore((port) =>
    startPrivatePostgres({ folder: join(folder, 'postgres'), ...(port !== undefined && { port }) }),
  );
  resources.defer(postgres.stop);
  const redis = await openStore((port) =>
    startPrivateRedis({ folder: join(folder, 'redis'), program, ...(port !== undefined && { port }) }),
  );
  resources.defer(redis.stop);
  return { postgres, redis, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

interface Server {
  readonly port: number;
  readonly pid: number;
  readonly url: string | (() => string);
  stop(): Promise<void>;
  kill(): Promise<void>;
}

async function openStore(start: (port?: number) => Promise<Server>): Promise<Store & { stop(): Promise<void> }> {
  let server = await start();
  const { port, url } = server;
  return {
    url: typeof url === 'string' ? url : url(),
    get pid() {
      return server.pid;
    },
    crash: async () => {
      await server.kill();
      server = await start(port);
    },
    stop: () => server.stop(),
  };
}
