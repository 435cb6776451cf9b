import path from 'node:path';
import { recordProcess } from '@waybill/private-datastores/process-identity';
import { stopLeftover } from '@waybill/private-datastores/stop-leftover';
import type { PlatformFolder } from '../configuration/platform-folder.ts';
import { serviceNames } from '../configuration/service-name.ts';

/** The maximum duration of an ordered stop of everything. */
const patienceMs = 90_000;

/**
 * Makes this process the one that runs the platform in this folder: an earlier one that still runs is asked to stop in
 * order, and services, PostgreSQL and Redis that outlived theirs are ended.
 */
export async function takeOver(folder: PlatformFolder, report: (line: string) => void): Promise<void> {
  const pidFile = folder.pid('platform');
  const slow = setTimeout(() => report('An earlier start still runs: waiting until it has stopped'), 500);
  const earlier = await stopLeftover({ pidFile, signal: 'SIGTERM', patienceMs });
  clearTimeout(slow);
  if (earlier !== undefined) report(`Stopped an earlier start (process ${earlier.pid})`);
  await Promise.all(
    serviceNames.map((name) => stopLeftover({ pidFile: folder.pid(name), signal: 'SIGTERM', patienceMs: 5000 })),
  );
  // These are ending because their parent was killed; until then their ports are in use.
  await Promise.all([
    stopLeftover({ pidFile: path.join(folder.postgres, 'postgres.pid'), signal: 'SIGINT', patienceMs: 20_000 }),
    stopLeftover({ pidFile: path.join(folder.redis, 'redis.pid'), signal: 'SIGTERM', patienceMs: 10_000 }),
  ]);
  recordProcess(pidFile, process.pid);
}
