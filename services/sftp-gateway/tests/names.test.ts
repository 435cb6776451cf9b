import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();
let local: Awaited<ReturnType<typeof createTestFolder>>;
let sent: string;

beforeAll(async () => {
  local = await createTestFolder();
  sent = join(local.path, 'sent.txt');
  await writeFile(sent, 'some text');
});
afterAll(() => local?.remove());

const as = (user: string, ...commands: string[]) =>
  runSftp({ port: peer.gateway.sftpPort, user, password: `${user}-demo`, commands });

describe('a name', () => {
  it.each([
    { kind: 'with spaces, also at its ends', name: '  all   of them ' },
    { kind: 'in Unicode', name: 'Ångström 数据 🚚' },
    { kind: 'of 255 bytes', name: `${'ü'.repeat(125)}.text` },
  ])('$kind is kept unchanged, and found by it', async ({ name }) => {
    const received = join(local.path, 'received.txt');
    const outcome = await as(
      'globex',
      `put ${sent} "/data/${name}"`,
      `get "/data/${name}" ${received}`,
      `rm "/data/${name}"`,
    );
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readFile(received, 'utf8')).toBe('some text');
  });

  it('of 256 bytes is refused for a file, a folder and a rename, and nothing is created', async () => {
    const path = `/data/${'x'.repeat(256)}`;
    const outcome = await as(
      'globex',
      `-put ${sent} ${path}`,
      `-mkdir ${path}`,
      `put ${sent} /data/short`,
      `-rename /data/short ${path}`,
      'ls -1 /data',
    );
    expect(outcome.stderr.match(/: Failure/g)).toHaveLength(3);
    expect(outcome.stdout).toMatch(/ls -1 \/data\n\/data\/short\s+$/);
  });
});

describe('a folder with the upload permission but not the list permission', () => {
  it('accepts files, and does not list, return or delete them', async () => {
    const outcome = await as('acme', `put ${sent} /dropbox/mine.txt`, `put ${sent} /dropbox/mine.txt`);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    const fetched = join(local.path, 'fetched.txt');
    const { stderr } = await as(
      'acme',
      '-ls /dropbox',
      `-get /dropbox/mine.txt ${fetched}`,
      '-rename /dropbox/mine.txt /inbox/mine.txt',
      '-rm /dropbox/mine.txt',
    );
    expect(stderr.match(/: Permission denied/g)).toHaveLength(4);
  });

  it('lets an interrupted upload be resumed', async () => {
    const client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'acme' });
    await beginUpload(client, '/dropbox/cut.txt', Buffer.from('some '));
    client.connection.destroy();
    await waitFor(async () => (await as('acme', `reput ${sent} /dropbox/cut.txt`)).exitCode === 0, {
      what: 'the upload to be let go of, and gone on with',
      intervalMs: 200,
    });
    const [stored] = await peer.rig.database.query("select size from filebox.entries where name = 'cut.txt'");
    expect(Number(stored?.['size'])).toBe('some text'.length);
  });
});
