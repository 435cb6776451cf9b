import { createHash, randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runCurl } from '@waybill/test-kit/run-curl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';

let rig: FilesRig;
let peers: RunningPeer[];
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let jar: string;

beforeAll(async () => {
  [rig, folder] = await Promise.all([createFilesRig(), createTestFolder()]);
  peers = [await rig.start('peer1'), await rig.start('peer2')];
  jar = join(folder.path, 'cookies.txt');
  const credentials = ['--data-urlencode', 'username=globex', '--data-urlencode', 'password=globex-demo'];
  const login = await runCurl('--cookie-jar', jar, ...credentials, at('/2.0/login/basic'), '--fail');
  if (login.exitCode !== 0) throw new Error(`curl did not log in: ${login.stderr}`);
});

afterAll(async () => {
  for (const peer of peers) await peer[Symbol.asyncDispose]();
  await Promise.all([rig[Symbol.asyncDispose](), folder.remove()]);
});

const at = (path: string, peer = 0): string => `${peers[peer]?.url}${path}`;
const curl = (...args: string[]) => runCurl('--cookie', jar, '--fail-with-body', ...args);
const local = (name: string): string => join(folder.path, name);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function localFile(name: string, bytes: Buffer): Promise<string> {
  await writeFile(local(name), bytes);
  return local(name);
}

describe('curl', () => {
  test('puts a file with -T, and gets it back under its name', async () => {
    const content = randomBytes(3_000_000);
    const file = await localFile('a b ř.bin', content);
    const put = await curl('-T', file, at('/2.0/files/data/'), '-H', 'Content-Type: application/zip');
    expect(put).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(put.stdout)).toMatchObject({ result: 'ok' });
    const got = await curl('-D', local('headers.txt'), at('/2.0/files/data/a%20b%20%C5%99.bin', 1));
    expect(sha256(got.bytes)).toBe(sha256(content));
    expect(await readFile(local('headers.txt'), 'utf8')).toMatch(/^content-type: application\/zip\r$/imu);
  });

  test('puts a file with -T only, without a content type', async () => {
    const content = randomBytes(300_000);
    const put = await curl('-T', await localFile('untyped', content), at('/2.0/files/data/untyped'));
    expect(put).toMatchObject({ exitCode: 0 });
    const got = await curl('-D', local('headers.txt'), at('/2.0/files/data/untyped', 1));
    expect(sha256(got.bytes)).toBe(sha256(content));
    expect(await readFile(local('headers.txt'), 'utf8')).toMatch(/^content-type: application\/octet-stream\r$/imu);
  });

  test('posts a form with -F, with metadata before or after the file', async () => {
    const file = await localFile('form ř.csv', Buffer.from('1;2\n'));
    const parts = ['-F', 'metadata={"order":"47"}', '-F', `file=@${file};type=text/csv`];
    for (const form of [parts, [...parts.slice(2), ...parts.slice(0, 2)]]) {
      expect(await curl(...form, at('/2.0/files/data'))).toMatchObject({ exitCode: 0 });
      const metadata = JSON.parse((await curl(at('/2.0/metadata/data/form%20%C5%99.csv'))).stdout) as unknown;
      expect(metadata).toMatchObject({ metadata: { order: '47' }, attributes: { datatype: 'text/csv', size: '4' } });
    }
  });

  test('resumes an interrupted download, on another peer', async () => {
    const content = randomBytes(2_000_000);
    await curl('-T', await localFile('whole.bin', content), at('/2.0/files/data/resume.bin'));
    const target = local('resumed.bin');
    await curl('-o', target, at('/2.0/files/data/resume.bin'));
    await truncate(target, 700_001);
    expect(await curl('-C', '-', '-o', target, at('/2.0/files/data/resume.bin', 1))).toMatchObject({ exitCode: 0 });
    expect(sha256(await readFile(target))).toBe(sha256(content));
  });

  test('downloads over several connections at once, and joins the parts', async () => {
    const content = randomBytes(4_000_001);
    await curl('-T', await localFile('parts.bin', content), at('/2.0/files/data/parts.bin'));
    const ranges = ['0-999999', '1000000-1999999', '2000000-2999999', '3000000-'];
    const parts = await Promise.all(
      ranges.map((range, turn) => curl('--range', range, at('/2.0/files/data/parts.bin', turn % 2))),
    );
    expect(parts.map(({ bytes }) => bytes.length)).toEqual([1_000_000, 1_000_000, 1_000_000, 1_000_001]);
    expect(sha256(Buffer.concat(parts.map(({ bytes }) => bytes)))).toBe(sha256(content));
  });

  test('downloads again only what has changed', async () => {
    await curl('-T', await localFile('etag.txt', Buffer.from('one')), at('/2.0/files/data/etag.txt'));
    const conditional = ['--etag-compare', local('etag'), '--etag-save', local('etag'), '-w', '%{http_code}'];
    const fetch = async () => (await curl(...conditional, at('/2.0/files/data/etag.txt'))).stdout;
    await writeFile(local('etag'), '');
    expect(await fetch()).toBe('one200');
    expect(await fetch()).toBe('304');
    await curl('-T', await localFile('etag.txt', Buffer.from('two')), at('/2.0/files/data/etag.txt'));
    expect(await fetch()).toBe('two200');
  });

  test('saves a download under the name in the response', async () => {
    await curl('-T', await localFile('named.bin', Buffer.from('x')), at('/2.0/files/data/report%2047.csv'));
    const saved = await curl('-OJ', '--output-dir', folder.path, at('/2.0/files/data/report%2047.csv'));
    expect(saved).toMatchObject({ exitCode: 0 });
    expect(await readFile(local('report 47.csv'), 'utf8')).toBe('x');
  });

  test('receives the reason of a refusal, in the form of the interface, without sending its body first', async () => {
    const file = await localFile('refused.bin', randomBytes(5_000_000));
    const refused = await runCurl(
      '--fail-with-body',
      '-T',
      file,
      at('/2.0/files/data/refused.bin'),
      '-w',
      '\n%{size_upload}',
    );
    expect(refused.exitCode).toBe(22);
    const [body = '', uploaded] = refused.stdout.split('\n');
    expect(JSON.parse(body)).toMatchObject({ result: 'failed', errorType: 'authentication' });
    expect(Number(uploaded)).toBe(0);
  });
});
