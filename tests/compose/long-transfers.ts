import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { opensshArguments, opensshEnvironment } from '@waybill/test-kit/openssh-login';
import type { ComposedPlatform } from './clients-under-load.ts';

/** A transfer that takes long: returns how often it was cut off and went on. Throws when it did not get what it should. */
export type LongTransfer = () => Promise<{ readonly resumed: number }>;

const tus = { 'tus-resumable': '1.0.0' };
/** Far more than restarts can cut off. */
const mostResumptions = 20;

/**
 * Transfers that a restart finds in progress. PUT and GET take 12 seconds, less than a replica has to finish its requests. The
 * resumable ones take 40 seconds, more than that, so that a restart cuts them off and they go on at the other replica.
 */
export async function openLongTransfers(
  { partners, sftp, passwords }: ComposedPlatform,
  folder: string,
): Promise<Readonly<Record<string, LongTransfer>>> {
  const http = createHttpClient(partners);
  const form = { username: 'acme', password: passwords.acme };
  expectStatus(await http.post('/2.0/login/basic', { form }), 200);
  const large = randomBytes(48 * 2 ** 20);
  expectStatus(await http.put('/2.0/files/inbox/long-get.bin', { body: large, headers: binary }), 200, 201);
  const login = { ...sftp, user: 'acme', password: passwords.acme };
  return {
    'http-files, long PUT': () => putSlowly(http, '/inbox/long-put-1.bin'),
    'http-files, another long PUT': () => putSlowly(http, '/inbox/long-put-2.bin'),
    'http-files, long GET': () => getSlowly({ http, partners, path: '/inbox/long-get.bin', content: large }),
    'http-files, another long GET': () => getSlowly({ http, partners, path: '/inbox/long-get.bin', content: large }),
    'http-files, tus upload': () => uploadResumably(http, 'inbox/long-tus-1.bin'),
    'http-files, another tus upload': () => uploadResumably(http, 'inbox/long-tus-2.bin'),
    'sftp-gateway, long put': () => putOverSftp({ http, login, folder, name: 'long-sftp-1.bin' }),
    'sftp-gateway, another long put': () => putOverSftp({ http, login, folder, name: 'long-sftp-2.bin' }),
  };
}

const binary = { 'content-type': 'application/octet-stream' };

async function putSlowly(http: HttpClient, path: string): Promise<{ resumed: number }> {
  const content = randomBytes(3 * 2 ** 20);
  const body = ReadableStream.from(paced(content));
  const answer = await http.put(`/2.0/files${path}`, { body, headers: binary, timeoutMs: 120_000 });
  expectStatus(answer, 200, 201);
  await expectStored(http, path, content);
  return { resumed: 0 };
}

/** Reads a large file at 4 MiB a second, so that most of it is still to come when the replica is told to stop. */
async function getSlowly(from: {
  readonly http: HttpClient;
  readonly partners: string;
  readonly path: string;
  readonly content: Uint8Array;
}): Promise<{ resumed: number }> {
  const headers = { cookie: from.http.cookies.header() ?? '' };
  const response = await fetch(`${from.partners}/2.0/files${from.path}`, { headers });
  if (response.status !== 200 || response.body === null) throw new Error(`answered ${response.status}`);
  const hash = createHash('sha256');
  let [bytes, allowed] = [0, 0];
  for await (const chunk of response.body) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    for (; bytes > allowed; allowed += 2 ** 20) await sleep(250);
  }
  if (hash.digest('hex') !== digestOf(from.content)) throw new Error(`got ${bytes} bytes that are not the file`);
  return { resumed: 0 };
}

async function uploadResumably(http: HttpClient, path: string): Promise<{ resumed: number }> {
  const content = randomBytes(10 * 2 ** 20);
  const metadata = `path ${Buffer.from(path).toString('base64')}`;
  const described = { ...tus, 'upload-length': String(content.length), 'upload-metadata': metadata };
  const begun = await http.post('/2.0/uploads', { headers: described });
  expectStatus(begun, 201);
  const { pathname } = new URL(begun.headers.get('location') ?? '');
  for (let resumed = 0; resumed <= mostResumptions; resumed += 1) {
    const offset = resumed === 0 ? 0 : await offsetOf(http, pathname);
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    const body = ReadableStream.from(paced(content.subarray(offset)));
    const sent = await http.request('PATCH', pathname, { headers, body, timeoutMs: 120_000 }).catch(() => undefined);
    if (sent?.status !== 204) continue;
    await expectStored(http, `/${path}`, content);
    return { resumed };
  }
  throw new Error(`was cut off more than ${mostResumptions} times`);
}

async function offsetOf(http: HttpClient, path: string): Promise<number> {
  const answer = await http.request('HEAD', path, { headers: tus });
  expectStatus(answer, 200);
  return Number(answer.headers.get('upload-offset'));
}

/** OpenSSH's client at 2 Mbit/s; it goes on with `reput` where its session was ended. */
async function putOverSftp(to: {
  readonly http: HttpClient;
  readonly login: { host: string; port: number; user: string; password: string };
  readonly folder: string;
  readonly name: string;
}): Promise<{ resumed: number }> {
  const content = randomBytes(10 * 2 ** 20);
  const source = join(to.folder, to.name);
  await writeFile(source, content);
  const { host, port, user } = to.login;
  const limits = ['-l', '2000', '-P', String(port), '-b', '-'];
  let said = '';
  for (let resumed = 0; resumed <= mostResumptions; resumed += 1) {
    const child = spawn('sftp', [...opensshArguments(to.login), ...limits, `${user}@${host}`], {
      env: { ...process.env, ...opensshEnvironment(to.login) },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.on('error', () => {}).end(`${resumed === 0 ? 'put' : 'reput'} ${source} /inbox/${to.name}\n`);
    const [[exitCode], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    said = errors;
    if (exitCode !== 0) continue;
    await expectStored(to.http, `/inbox/${to.name}`, content);
    return { resumed };
  }
  throw new Error(`was cut off more than ${mostResumptions} times: ${said}`);
}

async function expectStored(http: HttpClient, path: string, content: Uint8Array): Promise<void> {
  const stored = await http.get(`/2.0/files${path}`);
  expectStatus(stored, 200);
  if (digestOf(stored.bytes) !== digestOf(content)) throw new Error(`${path} has other content than was sent`);
}

/** 256 KiB a second. */
async function* paced(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) {
    yield content.subarray(at, at + 65_536);
    await sleep(250);
  }
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function expectStatus({ status, text: body }: { status: number; text: string }, ...expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`answered ${status}: ${body.slice(0, 200)}`);
}
