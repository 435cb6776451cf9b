import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLoginKey } from './create-login-key.ts';
import { measureFloor } from './measure-floor.ts';
import { measureIdleSessions } from './measure-idle-sessions.ts';
import { measureListing } from './measure-listing.ts';
import { measureLogins } from './measure-logins.ts';
import { measureSmallFiles } from './measure-small-files.ts';
import { measureTransfers } from './measure-transfers.ts';
import { startGateway } from './start-gateway.ts';
import { startOpensshServer } from './start-openssh-server.ts';

const measurements = {
  transfers: measureTransfers,
  'small-files': measureSmallFiles,
  floor: measureFloor,
  logins: measureLogins,
  listing: measureListing,
  'idle-sessions': measureIdleSessions,
};

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, files: { type: 'string' }, processes: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds ?? 5);
const smallFiles = Number(values.files ?? 10_000);
await using cleanUp = new AsyncDisposableStack();
const temporary = async (parent: string): Promise<string> => {
  const folder = await mkdtemp(join(parent, 'waybill-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
const serverDir = await temporary(tmpdir());
const clientDir = await temporary(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
const key = await createLoginKey(clientDir);
await mkdir(join(serverDir, 'openssh'));
const theirs = cleanUp.use(await startOpensshServer(join(serverDir, 'openssh'), key));
const settings = { ...process.env, SFTP_PROCESSES: values.processes };
const ours = cleanUp.use(await startGateway(join(serverDir, 'waybill'), key, settings));

for (const [name, measure] of Object.entries(measurements)) {
  if (wanted.length === 0 || wanted.includes(name))
    await measure({ ours, theirs, key, serverDir, clientDir, rounds, smallFiles });
}
