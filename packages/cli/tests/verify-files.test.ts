import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { openDirectory } from '@waybill/directory/open-directory';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { localBlobLayout } from '@waybill/filebox/blobs/local/local-blob-layout';
import { createFilebox } from '@waybill/filebox/create-filebox';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Origin } from '@waybill/filebox/model/origin';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommandLine } from '../src/run-command-line.ts';

const origin: Origin = {
  userName: userNameSchema.parse('acme'),
  actorName: 'acme',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
};
const platform = {
  manager: { name: 'manager1' },
  clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
  managerUsers: [{ name: 'admin', password: 'secret-secret', roles: ['Administrators'] }],
  actors: [{ name: 'acme', type: 'Partner', virtualFileSystems: [{ name: 'acme-files' }, { name: 'acme-archive' }] }],
};

const recordSchema = z.looseObject({ auditCode: z.string() });

const resources = new AsyncDisposableStack();
let env: Record<string, string>;
let db: Database;
let put: (path: string, content: Uint8Array) => Promise<{ blobId: string; fileset: string }>;
let damaged: { blobId: string; fileset: string };

async function waybill(...args: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await runCommandLine(args, { env, out: (line) => lines.push(line), err: (line) => errors.push(line) });
  return { code, out: lines.join('\n'), err: errors.join('\n') };
}

beforeAll(async () => {
  const database = resources.use(await createTestDatabase());
  const folder = resources.use(await createTestFolder());
  const blobs = { BLOB_DIR: join(folder.path, 'blobs') };
  env = { DATABASE_URL: database.url, ...blobs, DATABASE_PASSWORD_OPERATOR: testRoles.passwords.operator };
  await waybill('migrate');
  env = { DATABASE_URL: urlAs('operator', database.url), ...blobs };
  db = connectPostgres({ url: database.url, applicationName: 'cli test' });
  resources.defer(() => db.destroy());
  const by = { user: 'test', nodeId: 'test' };
  const configuration = parseConfiguration(platform);
  const files = { countFiles: (vfsIds: readonly string[]) => countFiles(db, vfsIds), setLimits };
  await applyConfiguration({ db, configuration, by, files });
  const filebox = resources.use(
    await createFilebox({
      db,
      blobDir: env['BLOB_DIR'] ?? '',
      managerName: 'manager1',
      logger: createLogger({ service: 'cli-test', level: 'silent' }),
      metrics: createMetrics('cli-test'),
    }),
  );
  const vfs = await openDirectory({ db }).findVfsByName('acme-files');
  put = async (path, content) => {
    const upload = await filebox.beginUpload(vfs?.id ?? '', parseVirtualPath(path), { origin, overwrite: true });
    await upload.write(content, 0);
    return await upload.commit();
  };
  await put('/sound', Buffer.from('hello'));
  damaged = await put('/damaged', Buffer.from('hello'));
});

afterAll(() => resources.disposeAsync());

it('finds nothing wrong with what is sound, and ends with 0', async () => {
  const sound = 'Verified: 2 contents, 10 bytes read, 0 files damaged.';
  expect(await waybill('files', 'verify')).toEqual({ code: 0, out: sound, err: '' });
  const { out } = await waybill('files', 'verify', '--json', '--vfs', 'acme-archive');
  expect(JSON.parse(out)).toEqual({ type: 'finished', blobs: 0, bytes: 0, damaged: 0 });
});

it('names each file that is damaged, for people and for programs, and ends with 1', async () => {
  const { blobId, fileset } = damaged;
  const stored = localBlobLayout(env['BLOB_DIR'] ?? '').storedPath(blobId);
  await truncate(stored, 3);
  const text = await waybill('files', 'verify', '--rate', '500', '--concurrency', '1');
  expect(text).toMatchObject({ code: 1, err: 'waybill files verify: one file is damaged' });
  const line = `acme-files:/damaged (fileset ${fileset}): its content has another size (blob ${blobId} in local)`;
  expect(text.out.split('\n')).toEqual([line, 'Verified: 2 contents, 5 bytes read, one file damaged.']);
  await rm(stored);
  const json = await waybill('files', 'verify', '--json', '--vfs', 'acme-files');
  expect(json.code).toBe(1);
  expect(json.out.split('\n').map((row): unknown => JSON.parse(row))).toEqual([
    expect.objectContaining({ type: 'damaged', vfs: 'acme-files', path: '/damaged', problem: 'missing', blobId }),
    { type: 'finished', blobs: 2, bytes: 5, damaged: 1 },
  ]);
  expect(await waybill('files', 'verify', '--vfs', 'acme-archive')).toMatchObject({ code: 0 });
});

it('is audited with its outcome, once for each time', async () => {
  const verified = async () =>
    (await db('outbox.events').orderBy('id').select('payload'))
      .map(({ payload }) => recordSchema.parse(payload))
      .filter(({ auditCode }) => auditCode === 'AUD0049A');
  const before = await verified();
  await waybill('files', 'verify', '--vfs', 'acme-archive');
  await waybill('files', 'verify');
  const [archive, all, ...others] = (await verified()).slice(before.length);
  expect(others).toEqual([]);
  expect(archive).toMatchObject({ entityName: 'acme-archive', context: { outcome: 'success' } });
  expect(all).toMatchObject({
    entityName: 'all files',
    context: { outcome: 'findings' },
    auditMessage: expect.stringMatching(/ has verified 2 stored contents of all files: 1 files are damaged$/u),
  });
});

it('reports its progress beside its findings', async () => {
  await put('/large', Buffer.alloc(4 * 1024 * 1024));
  // Reads for at least two seconds; the first report comes after one second.
  const verify = (...args: string[]) => waybill('files', 'verify', '--rate', '2', ...args);
  const text = await verify('--progress', '1');
  expect(text.out).toMatch(/4\.0 MiB read, one file damaged\.$/u);
  expect(text.err.split('\n')[0]).toMatch(
    /^\d+ %: [012] of 3 contents, .* of 4\.0 MiB read, .* damaged, about \d+ s left$/u,
  );
  const json = await verify('--progress', '1', '--json');
  expect(JSON.parse(json.err.split('\n')[0] ?? '')).toMatchObject({
    type: 'progress',
    totalBlobs: 3,
    percent: expect.any(Number),
  });
  const silent = await verify('--progress', '0');
  expect(silent.err).toBe('waybill files verify: one file is damaged');
});

it('says what is missing or wrong on the command line, and what is in the way', async () => {
  expect(await waybill('files', 'verify', '--vfs', 'nobody')).toEqual({
    code: 1,
    out: '',
    err: 'waybill files verify: the configuration has no VFS nobody',
  });
  expect(await waybill('files', 'verify', '--rate', '0')).toMatchObject({ code: 2 });
  expect(await waybill('files', 'verify', '--progress', '-1')).toMatchObject({ code: 2 });
  expect((await waybill('files', 'verify', '--help')).out).toMatch(/^Usage: waybill files verify [\s\S]*--vfs <name>/u);
  expect((await waybill('files')).err).toMatch(/waybill files: give a command: ls, get, put/u);
  const { BLOB_DIR: blobDir = '' } = env;
  env['BLOB_DIR'] = join(blobDir, 'elsewhere');
  const elsewhere = await waybill('files', 'verify');
  expect(elsewhere).toMatchObject({ code: 1, out: '' });
  expect(elsewhere.err).toMatch(/elsewhere is not, or not wholly, a folder in which a platform keeps files/u);
  env['BLOB_DIR'] = '';
  expect(await waybill('files', 'verify')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/BLOB_DIR: is not set/u),
  });
});
