import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureFloor } from './measures/measure-floor.ts';
import { measureIdleSessions } from './measures/measure-idle-sessions.ts';
import { measureKeyExchanges } from './measures/measure-key-exchanges.ts';
import { measureListing } from './measures/measure-listing.ts';
import { measureLogins } from './measures/measure-logins.ts';
import { measureSmallFiles } from './measures/measure-small-files.ts';
import { measureTransferFloor } from './measures/measure-transfer-floor.ts';
import { measureTransfers } from './measures/measure-transfers.ts';
import { createLoginKey } from './servers/create-login-key.ts';
import { startRivals } from './servers/start-rivals.ts';

const measurements = {
  transfers: measureTransfers,
  'small-files': measureSmallFiles,
  floor: measureFloor,
  'transfer-floor': measureTransferFloor,
  logins: measureLogins,
  listing: measureListing,
  'key-exchanges': measureKeyExchanges,
};

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    files: { type: 'string' },
    sessions: { type: 'string' },
    direction: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds ?? 5);
const smallFiles = Number(values.files ?? 10_000);
const sessions = values.sessions === undefined ? undefined : Number(values.sessions);
const directions = (['put', 'get'] as const).filter((direction) => (values.direction ?? direction) === direction);
await using cleanUp = new AsyncDisposableStack();
const temporary = async (parent: string): Promise<string> => {
  const folder = await mkdtemp(join(parent, 'waybill-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
const clientDir = await temporary(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
const key = await createLoginKey(clientDir);
const settings = { ...process.env, SFTP_PROCESSES: values.processes };
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

const wantedMeasurements = Object.entries(measurements).filter(([name]) => isWanted(name));
if (wantedMeasurements.length > 0) {
  const serverDir = await temporary(tmpdir());
  await using rivals = await startRivals(serverDir, key, settings);
  for (const [, measure] of wantedMeasurements) {
    await measure({ ...rivals, key, serverDir, clientDir, rounds, smallFiles, sessions, directions });
  }
}
if (isWanted('idle-sessions')) {
  // Servers that have already served others have free memory for what is measured here.
  await using rivals = await startRivals(await temporary(tmpdir()), key, settings);
  await measureIdleSessions(rivals, key);
}
