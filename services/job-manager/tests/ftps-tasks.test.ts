import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProftpd, type Proftpd } from '@waybill/test-kit/proftpd/start-proftpd';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import { type FakeFtp, startFakeFtp } from './fake-ftp.ts';

const rig = connectionRig();
let server: Proftpd;
let implicit: Proftpd;
let fake: FakeFtp;
let folder: string;

const retry = { attempts: 5, delaySeconds: 0 };
const push = { connection: 'acme-ftps', source: '${{ variables.source }}', target: '${{ variables.target }}' };
const pull = { connection: 'acme-ftps', source: '${{ variables.source }}', folder: '/inbox' };
const otherPin = Array.from({ length: 32 }, () => 'AB').join(':');

beforeAll(async () => {
  server = await startProftpd();
  implicit = await startProftpd({ implicit: true });
  fake = await startFakeFtp();
  await rig.setSecret('ftp', server.password);
  await rig.setSecret('wrong', 'canary-of-a-wrong-password');
  const { port, userName: username, certificate } = server;
  const ftps = { type: 'ftps', host: 'localhost', port, username, password: 'secret://ftp' };
  const trusting = { ...ftps, certificateAuthorities: certificate };
  await rig.configure(
    [
      { ...trusting, name: 'acme-ftps', maxConnections: 2, idleTimeoutSeconds: 20 },
      { ...ftps, name: 'pinned', host: '127.0.0.1', certificateFingerprints: [server.fingerprint] },
      {
        ...trusting,
        name: 'implicit',
        port: implicit.port,
        security: 'implicit',
        certificateAuthorities: implicit.certificate,
      },
      { ...ftps, name: 'untrusted' },
      { ...trusting, name: 'other-name', host: '127.0.0.1' },
      { ...ftps, name: 'other-pin', certificateFingerprints: [otherPin] },
      { ...trusting, name: 'wrong-password', password: 'secret://wrong' },
      { ...trusting, name: 'no-tls', port: fake.plainPort },
      { ...trusting, name: 'silent', port: fake.silentPort, connectTimeoutSeconds: 0.5 },
      { ...trusting, name: 'metadata-service', host: '169.254.169.254' },
    ],
    {
      push: { uses: 'ftps-push', with: push, retry },
      'push-new': { uses: 'ftps-push', with: { ...push, ifExists: 'fail' }, retry },
      'push-to': { uses: 'ftps-push', with: { ...push, connection: '${{ variables.connection }}' } },
      pull: { uses: 'ftps-pull', with: pull, retry },
      'pull-and-delete': { uses: 'ftps-pull', with: { ...pull, afterwards: 'delete' }, retry },
      'pull-and-move': { uses: 'ftps-pull', with: { ...pull, afterwards: 'move', moveTo: '${{ variables.to }}' } },
    },
  );
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await implicit?.[Symbol.asyncDispose]();
  await fake?.[Symbol.asyncDispose]();
});
let number = 0;
beforeEach(async () => {
  number += 1;
  folder = join(server.folder, String(number));
  await mkdir(folder);
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function storedSizes(): Promise<number[]> {
  const entries = await readdir(rig.platform.env['BLOB_DIR'] ?? '', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0));
}

describe('ftps-push', () => {
  it.each([0, 0, 0, 1, 3_000_001])('delivers %i bytes under the name of the source, and nothing else', async (size) => {
    const content = randomBytes(size);
    await rig.platform.deliver('/outbox/daily.csv', content);
    const job = await rig.run('push', 'COMPLETED', { source: '/outbox/daily.csv', target: `${folder}/` });
    expect(await readdir(folder)).toEqual(['daily.csv']);
    expect(sha256(await readFile(join(folder, 'daily.csv')))).toBe(sha256(content));
    expect(job.steps?.[0]?.outputs).toMatchObject({ size: String(size), resumedAt: '0' });
  });

  it('replaces a file on the server, or fails if it must not', async () => {
    await rig.platform.deliver('/outbox/b', Buffer.from('new'));
    await writeFile(join(folder, 'b'), 'old');
    const variables = { source: '/outbox/b', target: `${folder}/b` };
    expect((await rig.run('push-new', 'ERROR', variables)).statusMessage).toContain('already has');
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

  it('accepts a pinned certificate in place of its authority and name', async () => {
    await rig.platform.deliver('/outbox/pin', Buffer.from('pinned'));
    await rig.run('push-to', 'COMPLETED', { connection: 'pinned', source: '/outbox/pin', target: `${folder}/pin` });
    expect(await readFile(join(folder, 'pin'), 'utf8')).toBe('pinned');
  });

  it('speaks TLS from the first byte if the connection says so', async () => {
    await rig.platform.deliver('/outbox/i', Buffer.from('implicit'));
    const target = join(implicit.folder, 'i');
    await rig.run('push-to', 'COMPLETED', { connection: 'implicit', source: '/outbox/i', target });
    expect(await readFile(target, 'utf8')).toBe('implicit');
  });

  it.each([
    ['a certificate of an unknown authority', 'untrusted', 'self-signed certificate'],
    ['a certificate for another name', 'other-name', "does not match certificate's altnames"],
    ['a certificate that is not pinned', 'other-pin', 'which is not pinned'],
    ['a login that the server refuses', 'wrong-password', 'log in as partner'],
    ['a server without TLS', 'no-tls', 'AUTH is not known here'],
    ['a server that never greets', 'silent', 'no login within 0.5 s'],
    ['the metadata service of a cloud', 'metadata-service', 'destination 169.254.169.254 is not allowed'],
  ])('fails for %s, and says so', async (_, connection, message) => {
    await rig.platform.deliver('/outbox/x', Buffer.from('x'));
    const job = await rig.run('push-to', 'ERROR', { connection, source: '/outbox/x', target: `${folder}/x` });
    expect(job.statusMessage).toContain(message);
    expect(JSON.stringify(job)).not.toContain('canary');
    expect(await readdir(folder)).toEqual([]);
  });

  it('sends neither a name nor a password to a server without TLS', () => {
    expect(fake.received()).toBe('AUTH TLS\r\n');
  });
});

describe('ftps-pull', () => {
  it('fetches the files of a pattern, by name, and leaves them there', async () => {
    for (const name of ['b.pgp', 'a.pgp', 'c.txt', 'grüße mehr.pgp'])
      await writeFile(join(folder, name), `this is ${name}`);
    await mkdir(join(folder, 'folder.pgp'));
    const job = await rig.run('pull', 'COMPLETED', { source: `${folder}/*.pgp` });
    expect(JSON.parse(job.steps?.[0]?.outputs['paths'] ?? '')).toEqual([
      '/inbox/a.pgp',
      '/inbox/b.pgp',
      '/inbox/grüße mehr.pgp',
    ]);
    expect((await rig.platform.read('/inbox/a.pgp'))?.toString()).toBe('this is a.pgp');
    expect(await readdir(folder)).toHaveLength(5);
  });

  it('fetches nothing of an empty folder, and fails for a file that does not exist', async () => {
    const empty = await rig.run('pull', 'COMPLETED', { source: `${folder}/*` });
    expect(empty.steps?.[0]?.outputs).toMatchObject({ count: '0', paths: '[]' });
    expect((await rig.run('pull', 'ERROR', { source: `${folder}/absent` })).steps?.[0]?.attempts).toBe(1);
  });

  it('deletes or moves what it has stored', async () => {
    await writeFile(join(folder, 'gone'), '1');
    await rig.run('pull-and-delete', 'COMPLETED', { source: `${folder}/gone` });
    await mkdir(join(folder, 'done'));
    await writeFile(join(folder, 'kept'), '2');
    await rig.run('pull-and-move', 'COMPLETED', { source: `${folder}/kept`, to: `${folder}/done` });
    expect(await readdir(folder)).toEqual(['done']);
    expect(await readdir(join(folder, 'done'))).toEqual(['kept']);
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
    expect(JSON.stringify(job.steps?.[0]?.log)).toMatch(/The transfer is resumed/u);
  });
});
