import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateEd25519Key } from '../src/adapters/host-key-store.ts';
import { oneGateway } from './test-gateways.ts';

const key = generateEd25519Key();
const peer = oneGateway({ rig: { publicKey: key.public } });
let local: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  local = await createTestFolder();
  await writeFile(join(local.path, 'key'), key.private, { mode: 0o600 });
});
afterAll(() => local?.remove());

const as = (user: string, ...commands: string[]) =>
  runSftp({ port: peer.gateway.sftpPort, user, password: `${user}-demo`, commands });

describe('a partner with the OpenSSH client', () => {
  it('puts a file and gets it back, byte for byte', async () => {
    const content = randomBytes(3 * 1024 * 1024 + 17);
    const [sent, received] = [join(local.path, 'sent.bin'), join(local.path, 'received.bin')];
    await writeFile(sent, content);
    const outcome = await as('globex', `put ${sent} /data/big.bin`, `get /data/big.bin ${received}`);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await readFile(received)).equals(content)).toBe(true);
  });

  it('puts and gets an empty file', async () => {
    const [sent, received] = [join(local.path, 'empty'), join(local.path, 'empty-again')];
    await writeFile(sent, '');
    expect(await as('globex', `put ${sent} /data/empty`, `get /data/empty ${received}`)).toMatchObject({ exitCode: 0 });
    expect((await stat(received)).size).toBe(0);
  });

  it('replaces a file, and keeps the modification time that -p sends', async () => {
    const sent = join(local.path, 'dated.txt');
    await writeFile(sent, 'old');
    await as('globex', `put ${sent} /data/dated.txt`);
    await writeFile(sent, 'newer content');
    await utimes(sent, 1_600_000_000, 1_600_000_000);
    const outcome = await as('globex', `put -p ${sent} /data/dated.txt`, 'ls -l /data/dated.txt');
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toMatch(/-rw-r--r-- .* 13 Sep 13 +2020 .*dated\.txt/u);
  });

  it('lists, renames, moves and deletes files and folders', async () => {
    const sent = join(local.path, 'a.txt');
    await writeFile(sent, 'a');
    const outcome = await as(
      'globex',
      'mkdir /data/sub',
      `put ${sent} /data/sub/a.txt`,
      'rename /data/sub/a.txt /data/sub/b.txt',
      'ls -1 /data/sub',
      'mkdir /data/other',
      'rename /data/sub/b.txt /data/other/b.txt',
      '-rmdir /data/other',
      'rm /data/other/b.txt',
      'rmdir /data/other',
      'rename /data/sub /data/renamed',
      'cd /data/renamed',
      'pwd',
      'rmdir /data/renamed',
    );
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toContain('/data/sub/b.txt');
    expect(outcome.stdout).toContain('Remote working directory: /data/renamed');
    expect(outcome.stderr).toContain('rmdir "/data/other": Failure');
  });

  it('cannot rename a folder that contains what must not be renamed, and finds it unchanged', async () => {
    const outcome = await as(
      'acme',
      'mkdir /inbox/tree',
      'mkdir /inbox/tree/closed',
      '-rename /inbox/tree /inbox/moved',
      'ls /inbox/tree',
      '-ls /inbox/moved',
    );
    expect(outcome.stdout).toContain('/inbox/tree/closed');
    expect(outcome.stderr).toMatch(/No rename permission|Permission denied/u);
    expect(outcome.stderr).toMatch(/moved.*not found/u);
  });

  it('cannot rename a file to a name with specific rules, where it could not have been uploaded', async () => {
    const sent = join(local.path, 'ruled.txt');
    await writeFile(sent, 'x');
    const outcome = await as(
      'acme',
      '-mkdir /inbox/tree',
      `put ${sent} /inbox/tree/free.txt`,
      '-rename /inbox/tree/free.txt /inbox/tree/closed',
      'rm /inbox/tree/free.txt',
    );
    expect(outcome.stderr).toMatch(/rename .*(No write permission|Permission denied)/u);
    expect(outcome.exitCode).toBe(0);
  });

  it('replaces the target of a rename, as posix-rename@openssh.com requires', async () => {
    const [one, two, back] = ['one', 'two', 'back'].map((name) => join(local.path, name));
    await writeFile(one!, 'first');
    await writeFile(two!, 'second');
    const outcome = await as(
      'globex',
      `put ${one} /data/1`,
      `put ${two} /data/2`,
      'rename /data/2 /data/1',
      `get /data/1 ${back}`,
    );
    expect(outcome.exitCode).toBe(0);
    expect(await readFile(back!, 'utf8')).toBe('second');
  });

  it('refuses symbolic links and hard links', async () => {
    const outcome = await as('globex', '-symlink /data/x /data/y', '-ln /data/x /data/y');
    expect(outcome.stderr).toMatch(/symlink .*: Operation unsupported|There are no symbolic links here/u);
    expect(outcome.exitCode).toBe(0);
  });

  it('puts many files in one go and lists each once', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `file-${String(index).padStart(3, '0')}`);
    await mkdir(join(local.path, 'many'));
    for (const name of names) await writeFile(join(local.path, 'many', name), name);
    const outcome = await as('globex', 'mkdir /data/many', `put ${local.path}/many/* /data/many/`, 'ls -1 /data/many');
    expect(outcome.exitCode).toBe(0);
    const listed = outcome.stdout.split('\n').filter((line) => line.startsWith('/data/many/'));
    expect(listed).toEqual(names.map((name) => `/data/many/${name}`));
  });

  it('has the permissions of each virtual path', async () => {
    const sent = join(local.path, 'acl.txt');
    await writeFile(sent, 'acl');
    const outcome = await as(
      'acme',
      'ls -1 /',
      `put ${sent} /inbox/acl.txt`,
      `-put ${sent} /outbox/acl.txt`,
      '-ls /private',
      '-mkdir /outbox/sub',
      '-rename /inbox/acl.txt /outbox/acl.txt',
      '-rmdir /inbox',
      'ls -1 /inbox',
    );
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toContain('/inbox/acl.txt');
    expect(outcome.stderr).toContain('/outbox/acl.txt');
    expect(outcome.stderr.match(/No write permission|Permission denied/gu)?.length).toBeGreaterThanOrEqual(3);
  });

  it('logs in with a key', async () => {
    const outcome = await runSftp({
      port: peer.gateway.sftpPort,
      user: 'acme',
      identityFile: join(local.path, 'key'),
      commands: ['ls -1 /inbox'],
    });
    expect(outcome).toMatchObject({ exitCode: 0 });
  });

  it('logs in by keyboard-interactive', async () => {
    const outcome = await runSftp({
      port: peer.gateway.sftpPort,
      user: 'acme',
      password: 'acme-demo',
      sshOptions: { PreferredAuthentications: 'keyboard-interactive' },
      commands: ['pwd'],
    });
    expect(outcome).toMatchObject({ exitCode: 0 });
  });

  it('is told if no Connection Contract allows it', async () => {
    const outcome = await as('initech', 'pwd');
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.stderr).toContain('Connection contract not configured');
  });

  it('finds the folders that it accessed in the audit log', async () => {
    await as('acme', 'ls /', 'ls /inbox', 'ls /inbox', 'ls /outbox', '-ls /private');
    const changes = (await peer.rig.audited()).filter(({ auditOperation }) => auditOperation === 'SERVER_CHANGE_DIR');
    expect(changes.slice(-2).map(({ auditMessage }) => auditMessage)).toEqual([
      'Server change folder to /inbox',
      'Server change folder to /outbox',
    ]);
  });

  it('finds its session in the audit log: login, upload, download, logout', async () => {
    const [sent, received] = [join(local.path, 'audited'), join(local.path, 'audited-back')];
    await writeFile(sent, 'audited content');
    await as('globex', `put ${sent} /data/audited`, `get /data/audited ${received}`);
    // The logout is audited when the connection is closed, a moment after the client ends.
    const facts = await waitFor(
      async () => {
        const ofUser = (await peer.rig.audited()).filter(({ dataoneUser }) => dataoneUser === 'globex');
        const operations = ofUser.slice(-4).map(({ auditOperation }) => auditOperation);
        return operations.at(-1) === 'SERVER_LOGOUT' && operations.at(0) === 'SERVER_LOGIN' && operations;
      },
      { what: 'the whole session to be audited' },
    );
    expect(facts).toEqual(['SERVER_LOGIN', 'SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE', 'SERVER_LOGOUT']);
  });
});
