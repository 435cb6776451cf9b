import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import type { TestProject } from 'vitest/node';
import { ensureClients } from './ensure-clients.ts';

/**
 * Set-up that vitest runs once before the tests of a project and, by the function it returns, tear-down after them:
 * a PostgreSQL in a private folder. It is not durable, which tests of logic do not need. Tests of crashes start a
 * durable one with `startDurablePostgres`. Projects that run side by side share what is started for
 * the first of them, which vitest tears down last.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.getProvidedContext().waybillTestFolder !== undefined) return undefined;
  // Fetched here once, if the machine lacks it, so that the tests need not.
  const report = (line: string): void => project.vitest.logger.log(line);
  await ensureRedisServer(report);
  await ensureClients(report);
  const resources = new AsyncDisposableStack();
  const stop = (): Promise<void> => resources.disposeAsync();
  endOnSignal(resources);
  const folder = resources.use(await createRunFolder(tmpdir()));
  const databases = resources.use(await createRunFolder(await placeOfDatabases()));
  const postgres = await startPrivatePostgres({
    folder: join(databases.path, 'postgres'),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      max_wal_size: '512MB',
    },
  });
  resources.defer(() => postgres.stop());
  project.vitest.provide('waybillTestFolder', folder.path);
  project.vitest.provide('waybillTestPostgresUrl', postgres.url('postgres'));
  return stop;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a signal vitest exits within a millisecond; here what was started is stopped first. What tests have started ends
 * with their workers, a moment later.
 */
function endOnSignal(resources: AsyncDisposableStack): void {
  const end = (): void => void resources.disposeAsync().finally(() => process.exit(130));
  for (const signal of signals) {
    process.removeAllListeners(signal);
    process.once(signal, end);
    resources.defer(() => void process.off(signal, end));
  }
}

const runFolderPattern = /^waybill-test-run-(\d+)-/;

/** A folder for this run in `place`, named after its process; those of processes that have ended are removed. */
async function createRunFolder(place: string): Promise<AsyncDisposable & { path: string }> {
  for (const name of await readdir(place)) {
    const pid = runFolderPattern.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(place, name), { recursive: true, force: true });
  }
  const path = await mkdtemp(join(place, `waybill-test-run-${process.pid}-`));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

const memoryFolder = '/dev/shm';
/** The type of `tmpfs` in `statfs(2)`. */
const tmpfs = 0x0102_1994;
const gibibyte = 1024 ** 3;

/**
 * Where the databases are: in memory if there is much of it, else in the folder for temporary files. Each test file copies a
 * database of some thousand small files, which takes a quarter of the processor time in memory.
 */
async function placeOfDatabases(): Promise<string> {
  const folder = await statfs(memoryFolder).catch(() => undefined);
  const isRoomy = folder?.type === tmpfs && folder.bavail * folder.bsize >= 4 * gibibyte;
  return isRoomy && process.availableMemory() >= 8 * gibibyte ? memoryFolder : tmpdir();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
