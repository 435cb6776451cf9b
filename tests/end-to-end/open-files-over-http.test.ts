import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from '../../services/sftp-gateway/tests/raw-sftp-client.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';

const { read, write, create, truncate } = openFlag;
const { ok, noSuchFile } = statusCode;

const stack = new AsyncDisposableStack();
let platform: PlatformProcess;
let sftp: RawSftpClient;
let http: HttpClient;
/** New for each test; without the leading slash. */
let folder = '';
let tests = 0;

beforeAll(async () => {
  platform = stack.use(await startPlatformProcess());
  sftp = stack.use(await connectRawSftp({ port: platform.sftpPort, user: 'globex' }));
  http = platform.http();
  await http.post('/2.0/login/basic', { form: { username: 'globex', password: 'globex-demo' } });
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  tests += 1;
  folder = `data/open-${tests}`;
  await http.put(`/2.0/folders/${folder}`);
});

const store = async (name: string, body: string) => {
  const headers = { 'content-type': 'application/octet-stream' };
  expect((await http.put(`/2.0/files/${folder}/${name}`, { body, headers })).status).toBe(201);
};
/** Undefined when nothing is there. */
const stored = async (path: string) => {
  const { status, text } = await http.get(`/2.0/files/${path}`);
  return status === 404 ? undefined : text;
};

/** What HTTP does to the file `f` of the folder while it is open. */
const changes = {
  move: () => http.post('/2.0/move', { json: { from: `${folder}/f`, to: `${folder}/moved` } }),
  'move of its folder': () => http.post('/2.0/move', { json: { from: folder, to: `${folder}-moved` } }),
  'move of another file onto it': async () => {
    await store('other', 'other');
    return http.post('/2.0/move', { json: { from: `${folder}/other`, to: `${folder}/f`, overwrite: true } });
  },
  DELETE: () => http.delete(`/2.0/files/${folder}/f`),
  'DELETE of its folder': () => http.delete(`/2.0/folders/${folder}?recursive=true`),
  PUT: () =>
    http.put(`/2.0/files/${folder}/f`, { body: 'put', headers: { 'content-type': 'application/octet-stream' } }),
};
type Change = keyof typeof changes;

async function open(flags: number): Promise<Buffer> {
  const path = Buffer.from(`/${folder}/f`);
  const answer = await sftp.ask({ type: 'open', id: 1, path, flags, attributes: {} });
  if (answer.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(answer)}`);
  return Buffer.from(answer.handle);
}

async function codeOf(request: Parameters<RawSftpClient['ask']>[0]): Promise<number | string> {
  const answer = await sftp.ask(request);
  return answer.type === 'status' ? answer.code : answer.type;
}

const writeTo = (handle: Buffer, text: string, offset: number) =>
  codeOf({ type: 'write', id: 2, handle, offset, data: Buffer.from(text) });
const close = (handle: Buffer) => codeOf({ type: 'close', id: 3, handle });
const readAll = async (handle: Buffer): Promise<string | number> => {
  const answer = await sftp.ask({ type: 'read', id: 2, handle, offset: 0, length: 1_000 });
  if (answer.type === 'data') return answer.data.toString();
  return answer.type === 'status' ? answer.code : answer.type;
};

/** The files that are there, of all that the changes can lead to. */
async function found(): Promise<Record<string, string>> {
  const paths = ['f', 'moved', 'other'].map((name) => [name, `${folder}/${name}`] as const);
  const all = [...paths, ['in the moved folder', `${folder}-moved/f`] as const];
  const entries = await Promise.all(all.map(async ([name, path]) => [name, await stored(path)] as const));
  return Object.fromEntries(entries.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

/** What HTTP answers, what CLOSE answers then, and what is there in the end. */
type Outcome = readonly [http: number, close: number, files: Readonly<Record<string, string>>];

describe.each<[string, { before: string | undefined; flags: number; text: string }, Record<Change, Outcome>]>([
  [
    'a file that is open to be changed (r+)',
    { before: 'old', flags: read | write, text: 'N' },
    {
      move: [200, ok, { moved: 'Nld' }],
      'move of its folder': [200, ok, { 'in the moved folder': 'Nld' }],
      'move of another file onto it': [200, noSuchFile, { f: 'other' }],
      DELETE: [200, noSuchFile, {}],
      'DELETE of its folder': [200, noSuchFile, {}],
      PUT: [201, ok, { f: 'Nld' }],
    },
  ],
  [
    'a file that is open to be replaced (w)',
    { before: 'old', flags: write | create | truncate, text: 'new' },
    {
      move: [200, ok, { moved: 'old', f: 'new' }],
      'move of its folder': [200, ok, { 'in the moved folder': 'new' }],
      'move of another file onto it': [200, ok, { f: 'new' }],
      DELETE: [200, ok, { f: 'new' }],
      'DELETE of its folder': [200, noSuchFile, {}],
      PUT: [201, ok, { f: 'new' }],
    },
  ],
  [
    'a new file that is open',
    { before: undefined, flags: write | create | truncate, text: 'new' },
    {
      move: [404, ok, { f: 'new' }],
      'move of its folder': [200, ok, { 'in the moved folder': 'new' }],
      'move of another file onto it': [200, ok, { f: 'new' }],
      DELETE: [404, ok, { f: 'new' }],
      'DELETE of its folder': [200, noSuchFile, {}],
      PUT: [201, ok, { f: 'new' }],
    },
  ],
])('%s over SFTP', (_, { before, flags, text }, outcomes) => {
  it.each(Object.keys(outcomes) as Change[])('meets a %s over HTTP', async (change) => {
    const [status, closed, files] = outcomes[change];
    if (before !== undefined) await store('f', before);
    const handle = await open(flags);
    expect(await writeTo(handle, text, 0)).toBe(ok);
    expect((await changes[change]()).status).toBe(status);
    expect(await close(handle)).toBe(closed);
    expect(await found()).toEqual(files);
  });
});

describe('a file that is open to be read over SFTP', () => {
  const left: Record<Change, Record<string, string>> = {
    move: { moved: 'old' },
    'move of its folder': { 'in the moved folder': 'old' },
    'move of another file onto it': { f: 'other' },
    DELETE: {},
    'DELETE of its folder': {},
    PUT: { f: 'put' },
  };

  it.each(Object.keys(left) as Change[])('is read as it was opened after a %s over HTTP', async (change) => {
    await store('f', 'old');
    const [begun, untouched] = [await open(read), await open(read)];
    expect(await readAll(begun)).toBe('old');
    expect([200, 201]).toContain((await changes[change]()).status);
    for (const handle of [begun, untouched]) {
      expect(await readAll(handle)).toBe('old');
      const described = await sftp.ask({ type: 'fstat', id: 1, handle });
      expect(described).toMatchObject({ type: 'attrs', attributes: { size: 3 } });
      expect(await close(handle)).toBe(ok);
    }
    expect(await found()).toEqual(left[change]);
  });
});

it('a file that HTTP removes and stores again while it is open to be changed over SFTP is the one of HTTP', async () => {
  await store('f', 'old');
  const handle = await open(read | write);
  expect(await writeTo(handle, 'N', 0)).toBe(ok);
  expect((await changes.DELETE()).status).toBe(200);
  expect((await changes.PUT()).status).toBe(201);
  expect(await close(handle)).toBe(noSuchFile);
  expect(await found()).toEqual({ f: 'put' });
});

it('a file that was delivered by one handle is not changed by another one of the session once HTTP has removed it', async () => {
  const [first, second] = [await open(write | create | truncate), await open(read | write)];
  expect(await writeTo(first, 'mine', 0)).toBe(ok);
  expect(await close(first)).toBe(ok);
  expect((await changes.DELETE()).status).toBe(200);
  await store('f', 'theirs');
  expect(await writeTo(second, 'M', 0)).toBe(noSuchFile);
  expect(await close(second)).toBe(noSuchFile);
  expect(await found()).toEqual({ f: 'theirs' });
});
