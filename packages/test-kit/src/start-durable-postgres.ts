import { join } from 'node:path';
import { type PrivatePostgres, startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { createTestFolder } from './create-test-folder.ts';
import { pauseProcess } from './processes/pause-process.ts';

/** A PostgreSQL that keeps its promises, for tests that kill it. */
export interface DurablePostgres extends AsyncDisposable {
  /** Address of a database; stays the same over `restart`. */
  url(database: string): string;
  /** SIGSTOP to all of its processes: it accepts connections and says nothing; `false` lets it go on. */
  pause(isPaused: boolean): void;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, after `kill`, or restarts a running one. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL of a test's own with fsync on, in a folder that goes away with it. */
export async function startDurablePostgres(): Promise<DurablePostgres> {
  const folder = await createTestFolder();
  const start = (port?: number): Promise<PrivatePostgres> =>
    startPrivatePostgres({ folder: join(folder.path, 'postgres'), ...(port === undefined ? {} : { port }) });
  let server = await start();
  const { port } = server;
  const stop = async (): Promise<void> => {
    await server.stop();
    await folder.remove();
  };
  return {
    url: (database) => server.url(database),
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
