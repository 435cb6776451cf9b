import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

const rig = connectionRig();
let server: OpensshServer;
let folder: string;

const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1LqFvQY5b2PnLX3ViYk1M4hMHd8zqrhjmhMdBbiwmB';
const retry = { attempts: 5, delaySeconds: 0 };
const push = { connection: 'acme-sftp', source: '${{ variables.source }}', target: '${{ variables.target }}' };
const pull = { connection: 'acme-sftp', source: '${{ variables.source }}', folder: '/inbox' };

beforeAll(async () => {
  server = await startOpensshServer();
  await rig.setSecret('acme-key', server.privateKey);
  const { port, userName: username, hostKey } = server;
  const sftp = {
    type: 'sftp',
    host: '127.0.0.1',
    port,
    username,
    privateKey: 'secret://acme-key',
    hostKeys: [hostKey],
  };
  await rig.configure(
    [
      { ...sftp, name: 'acme-sftp', maxConnections: 2, idleTimeoutSeconds: 20 },
      { ...sftp, name: 'other-host-key', hostKeys: [other] },
      { ...sftp, name: 'wrong-user', username: 'mallory' },
      { ...sftp, name: 'no-secret', privateKey: 'secret://never-set' },
      { ...sftp, name: 'off', enabled: false },
      { ...sftp, name: 'dead', port: 1 },
    ],
    {
      push: { uses: 'sftp-push', with: push, retry },
      'push-new': { uses: 'sftp-push', with: { ...push, ifExists: 'fail' }, retry },
      'push-to': { uses: 'sftp-push', with: { ...push, connection: '${{ variables.connection }}' } },
      pull: { uses: 'sftp-pull', with: pull, retry },
      'pull-and-delete': { uses: 'sftp-pull', with: { ...pull, afterwards: 'delete' }, retry },
      'pull-and-move': { uses: 'sftp-pull', with: { ...pull, afterwards: 'move', moveTo: '${{ variables.to }}' } },
    },
  );
});
afterAll(() => server?.[Symbol.asyncDispose]());
let number = 0;
beforeEach(async () => {
  number += 1;
  folder = join(server.folder, String(number));
  await mkdir(folder);
});

/** Sizes of the blobs that are stored or being written. */
async function storedSizes(): Promise<number[]> {
  const entries = await readdir(rig.platform.env['BLOB_DIR'] ?? '', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0));
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('sftp-push', () => {
  it.each([0, 1, 32_768, 3_000_001])(
    'delivers %i bytes under the name of the source, and nothing else',
    async (size) => {
      const content = randomBytes(size);
      await rig.platform.deliver('/outbox/daily.csv', content);
      const job = await rig.run('push', 'COMPLETED', { source: '/outbox/daily.csv', target: `${folder}/` });
      expect(await readdir(folder)).toEqual(['daily.csv']);
      expect(sha256(await readFile(join(folder, 'daily.csv')))).toBe(sha256(content));
      const outputs = { remotePath: `${folder}/daily.csv`, size: String(size), resumedAt: '0' };
      expect(job.steps?.[0]?.outputs).toMatchObject(outputs);
    },
  );

  it('replaces a file on the server at once, or fails if it must not', async () => {
    await rig.platform.deliver('/outbox/b', Buffer.from('new'));
    await writeFile(join(folder, 'b'), 'old');
    const variables = { source: '/outbox/b', target: `${folder}/b` };
    const failed = await rig.run('push-new', 'ERROR', variables);
    expect(failed.statusMessage).toContain('already has');
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('old');
    await rig.run('push', 'COMPLETED', variables);
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['b']);
  });

  it('goes on where a lost connection has left it, and is complete then', async () => {
    const content = randomBytes(64 * 1024 * 1024);
    await rig.platform.deliver('/outbox/big', content);
    const id = await rig.submit('push', { source: '/outbox/big', target: `${folder}/big` });
    await waitFor(
      async () => {
        const [name] = await readdir(folder);
        return name !== undefined && (await stat(join(folder, name))).size > 4 * 1024 * 1024;
      },
      { what: 'a part of the file', intervalMs: 5 },
    );
    server.cut();
    const job = await rig.manager.reaches(id, 'COMPLETED', 60_000);
    expect(Number(job.steps?.[0]?.outputs['resumedAt'])).toBeGreaterThan(0);
    expect(sha256(await readFile(join(folder, 'big')))).toBe(sha256(content));
    expect(await readdir(folder)).toEqual(['big']);
  });

  it.each([
    ['a server with another host key', 'other-host-key', 'which is not pinned'],
    ['a login that the server refuses', 'wrong-user', 'refuses the login of mallory'],
    ['a secret that was never set', 'no-secret', 'has no secret never-set'],
    ['a disabled connection', 'off', 'is disabled'],
    ['an unknown connection', 'acme-stfp', 'has a client connection "acme-stfp"'],
    ['a port without a server', 'dead', 'ECONNREFUSED'],
  ])('fails for %s, and says so', async (_, connection, message) => {
    await rig.platform.deliver('/outbox/x', Buffer.from('x'));
    const job = await rig.run('push-to', 'ERROR', { connection, source: '/outbox/x', target: `${folder}/x` });
    expect(job.statusMessage).toContain(message);
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not try again what cannot succeed', async () => {
    await rig.platform.deliver('/outbox/x', Buffer.from('x'));
    const job = await rig.run('push', 'ERROR', { source: '/outbox/x', target: `${folder}/absent/x` });
    expect(job.steps?.[0]).toMatchObject({ attempts: 1, error: expect.stringContaining('no such file or folder') });
  });
});

describe('sftp-pull', () => {
  it('fetches the files of a pattern, by name, and leaves them there', async () => {
    for (const name of ['b.pgp', 'a.pgp', 'c.txt', '.hidden.pgp'])
      await writeFile(join(folder, name), `this is ${name}`);
    await mkdir(join(folder, 'folder.pgp'));
    const job = await rig.run('pull', 'COMPLETED', { source: `${folder}/*.pgp` });
    expect(JSON.parse(job.steps?.[0]?.outputs['paths'] ?? '')).toEqual([
      '/inbox/.hidden.pgp',
      '/inbox/a.pgp',
      '/inbox/b.pgp',
    ]);
    expect((await rig.platform.read('/inbox/a.pgp'))?.toString()).toBe('this is a.pgp');
    expect(await readdir(folder)).toHaveLength(5);
  });

  it('fetches nothing of an empty folder, and fails for a file or a folder that does not exist', async () => {
    const empty = await rig.run('pull', 'COMPLETED', { source: `${folder}/*` });
    expect(empty.steps?.[0]?.outputs).toMatchObject({ count: '0', paths: '[]' });
    for (const source of [`${folder}/absent`, `${folder}/absent/*`]) {
      expect((await rig.run('pull', 'ERROR', { source })).steps?.[0]?.attempts).toBe(1);
    }
  });

  it('deletes or moves what it has stored', async () => {
    await writeFile(join(folder, 'gone'), '1');
    await rig.run('pull-and-delete', 'COMPLETED', { source: `${folder}/gone` });
    await mkdir(join(folder, 'done'));
    await writeFile(join(folder, 'kept'), '2');
    await rig.run('pull-and-move', 'COMPLETED', { source: `${folder}/kept`, to: `${folder}/done` });
    expect(await readdir(folder)).toEqual(['done']);
    expect(await readdir(join(folder, 'done'))).toEqual(['kept']);
    expect((await rig.platform.read('/inbox/kept'))?.toString()).toBe('2');
  });

  it('goes on where a lost connection has left it, and stores the whole file', async () => {
    const content = randomBytes(96 * 1024 * 1024);
    await writeFile(join(folder, 'big-pull'), content);
    const id = await rig.submit('pull', { source: `${folder}/big-pull` });
    const isPart = (size: number): boolean =>
      size > 4 * 1024 * 1024 && size < content.length && size !== 64 * 1024 * 1024;
    await waitFor(async () => (await storedSizes()).some(isPart), { what: 'a part of the file', intervalMs: 5 });
    server.cut();
    const job = await rig.manager.reaches(id, 'COMPLETED', 60_000);
    const stored = await rig.platform.read('/inbox/big-pull');
    expect(stored && sha256(stored)).toBe(sha256(content));
    expect(job.steps?.[0]?.outputs).toMatchObject({ count: '1', size: String(content.length) });
    expect(JSON.stringify(job.steps?.[0]?.log)).toMatch(/The transfer is resumed/u);
  });
});

it('shows the health of connections as metrics', async () => {
  const { text } = await rig.manager.client.get('/metrics');
  expect(text).toMatch(/waybill_outbound_connections\{connection="acme-sftp",state="idle",[^}]*\} [12]\n/u);
  expect(text).toMatch(/waybill_outbound_attempts_total\{connection="dead",outcome="failed",[^}]*\} 1\n/u);
  expect(text).toMatch(/waybill_outbound_suspended\{connection="acme-sftp",[^}]*\} 0\n/u);
});
