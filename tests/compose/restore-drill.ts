import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { startBusyClients } from './busy-clients.ts';
import { compose, drill, inService, openPlatform, run, type RunningPlatform } from './composed-platform.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { checkRestoredFiles } from './restored-files.ts';

// Rehearses a disaster: starts a platform of its own, backs it up while clients store files, removes it with all its volumes,
// restores it, and compares what is there with what was acknowledged. Needs Docker, and an OpenSSH client; takes about five
// minutes. Exit code 1 when something is not as docs/disaster-recovery.md promises. node tests/compose/restore-drill.ts
// [--base] [--files=100] [--keep]: with pg_basebackup; how many files are stored before the backup, and after it; leaves it up.
const { values } = parseArgs({
  options: { base: { type: 'boolean' }, keep: { type: 'boolean' }, files: { type: 'string', default: '100' } },
});
const folder = await mkdtemp(join(tmpdir(), 'waybill-restore-drill-'));
const failures: string[] = [];

try {
  await rehearse();
} finally {
  if (values.keep !== true) await compose('down', '-v');
  await rm(folder, { recursive: true });
}
for (const failure of failures) say(`FAILED: ${failure}`);
say(failures.length === 0 ? 'The restore is as promised.' : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function rehearse(): Promise<void> {
  say(`starting a platform: project ${drill.COMPOSE_PROJECT_NAME}`);
  await compose('down', '-v');
  await compose('up', '-d');
  const platform = await openPlatform();
  const identity = await identityOf(platform);
  const ledger = createLedger();
  const clients = startBusyClients(platform, ledger);
  await waitForFiles(ledger);

  say(`backing up, with ${ledger.paths().length} files stored so far`);
  const began = performance.now();
  const out = await run('deploy/backup', [...(values.base === true ? ['--base'] : []), folder]);
  const backup = { began, ended: performance.now() };
  say(`done in ${Math.round((backup.ended - began) / 1_000)} s, with ${ledger.paths().length} files stored meanwhile`);
  await waitForFiles(ledger);
  await clients.stop();
  const recordBefore = await waitForCheckpoint();

  say('removing everything: containers, database, files, keys, Redis');
  await compose('down', '-v');
  say('restoring');
  await run('deploy/restore', [out.trim()], { showsErrors: true });

  const restored = await openPlatform();
  const { certain, between, missing, unfinished, lost, wrong } = await checkRestoredFiles(restored, ledger, backup);
  say(`${certain} files that were acknowledged before the backup and not changed during it: there, with their content`);
  say(`${between} files that were stored, replaced or deleted during it: as they were at a moment of it`);
  say(`${missing.length} of these came and went during it, and have no content: delete them`);
  say(`${lost} files that were acknowledged after it: lost, and answered as not there or as they were before`);
  failures.push(...wrong);
  await beginAgain(restored, unfinished);
  expect(certain > 0 && between > 0 && lost > 0, 'clients stored files before, during and after the backup');

  await check(restored, {
    damaged: missing.length,
    highestFileset: clients.highestFileset(),
    refreshToken: platform.tokens.refreshToken,
  });
  expect((await identityOf(restored)) === identity, 'host keys and receipt keys are the same');
  const recordAfter = await highestCheckpoint();
  say(`last checkpoint in the logs before: record ${recordBefore}; in the restored log: record ${recordAfter}`);
}

/** Until clients have stored so many more files. */
async function waitForFiles(ledger: Ledger): Promise<void> {
  const enough = ledger.paths().length + Number(values.files);
  const isStored = (): boolean => ledger.paths().length >= enough;
  await waitFor(isStored, { what: `${values.files} more files`, timeoutMs: 600_000, intervalMs: 200 });
}

/** The checks of the page, in its order. */
async function check(
  platform: RunningPlatform,
  { damaged, highestFileset, refreshToken }: { damaged: number; highestFileset: number; refreshToken: string },
): Promise<void> {
  const plan = await inService('setup', 'waybill', 'plan', '/etc/waybill/platform.yaml');
  expect(plan.includes('Nothing to change'), `waybill plan finds nothing to change: ${plan.trim()}`);
  const verified = await inService('operator', 'sh', '-c', 'waybill files verify --json || true');
  expect(verified.includes(`"damaged":${damaged}}`), `waybill files verify names ${damaged} files: ${verified.trim()}`);
  const { administrators, tokens } = platform;
  const api = '/platform-application/api/v1';
  const answer = await administrators.get(`${api}/audit/verification`, { bearer: tokens.accessToken });
  const { intact, records } = auditVerificationSchema.parse(answer.json());
  expect(intact, `the audit log is intact, with ${records} records`);
  const http = await platform.partner();
  const stored = await http.put('/2.0/files/data/after-the-restore.txt', { body: 'hello' });
  const fileset = Number(stored.headers.get('x-fileset'));
  expect(fileset > highestFileset, `a new file has number ${fileset}, above all that were given (${highestFileset})`);
  const refreshed = await administrators.post(`${api}/auth/refresh`, { json: { refreshToken } });
  expect(refreshed.status === 401, `a refresh token of before is refused: status ${refreshed.status}`);
}

/** Sends what the uploads under way at the backup were about to. */
async function beginAgain({ login }: RunningPlatform, paths: readonly string[]): Promise<void> {
  const source = join(folder, 'again');
  await writeFile(source, 'again');
  const commands = paths.flatMap((path) => [`put ${source} ${path}`, `get ${path} /dev/null`]);
  const { exitCode, stderr } = await runSftp({ ...login, commands, timeoutMs: 60_000 });
  expect(exitCode === 0, `${paths.length} uploads that were under way are sent again${stderr && `: ${stderr}`}`);
}

/** What partners recognise the platform by. */
async function identityOf(platform: RunningPlatform): Promise<string> {
  const keys = await run('ssh-keyscan', ['-p', drill.WAYBILL_SFTP_PORT, '127.0.0.1']);
  const http = await platform.partner();
  const { text } = await http.get('/2.0/.well-known/jwks.json');
  return [...keys.trim().split('\n').toSorted(), text].join('\n');
}

/** The highest record of a logged checkpoint; 0 without one. */
async function highestCheckpoint(): Promise<number> {
  const logs = await compose('logs', '--no-color', 'audit-1', 'audit-2');
  const checkpoints = logs.matchAll(/"checkpoint":"waybill\/\S+?\\n(\d+)\\n/gu);
  return Math.max(0, ...[...checkpoints].map(([, sequence]) => Number(sequence)));
}

/** A checkpoint is logged once a minute. */
async function waitForCheckpoint(): Promise<number> {
  const before = await highestCheckpoint();
  const signed = async (): Promise<number | undefined> => {
    const highest = await highestCheckpoint();
    return highest > before ? highest : undefined;
  };
  return await waitFor(signed, { what: 'the next checkpoint of the audit log', timeoutMs: 150_000, intervalMs: 2_000 });
}

function expect(isAsPromised: boolean, what: string): void {
  if (isAsPromised) say(what);
  else failures.push(what);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
