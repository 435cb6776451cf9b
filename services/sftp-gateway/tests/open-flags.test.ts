import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { gatewayWithClient } from './gateway-with-client.ts';
import { connectRawSftp } from './raw-sftp-client.ts';

const { read, write, append, create, truncate, exclusive } = openFlag;
const stored = 'content';
const added = 'AB';
const combinations = Array.from({ length: 64 }, (_, flags) => flags);

/** The outcome of an OPEN: its refusal; or what a READ, and a later reader, found. */
interface Outcome {
  readonly refused?: number;
  readonly readBack?: string | number;
  readonly result?: string | number;
}

const peer = gatewayWithClient();

async function open(path: string, flags: number): Promise<Buffer | number> {
  const opened = await peer.client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  if (opened.type === 'handle') return Buffer.from(opened.handle);
  return opened.type === 'status' ? opened.code : -1;
}

/** The text, or the status instead of it; empty at the end. */
async function readAll(handle: Buffer): Promise<string | number> {
  const answer = await peer.client.ask({ type: 'read', id: 2, handle, offset: 0, length: 100 });
  if (answer.type === 'data') return answer.data.toString();
  if (answer.type !== 'status') return -1;
  return answer.code === statusCode.eof ? '' : answer.code;
}

const close = (handle: Buffer) => peer.client.ask({ type: 'close', id: 3, handle });

async function put(path: string): Promise<void> {
  const handle = await open(path, write | create | truncate);
  if (typeof handle === 'number') throw new Error(`OPEN was answered with ${handle}`);
  await peer.client.ask({ type: 'write', id: 4, handle, offset: 0, data: Buffer.from(stored) });
  await close(handle);
}

async function contentOf(path: string): Promise<string | number> {
  const handle = await open(path, read);
  if (typeof handle === 'number') return handle;
  const text = await readAll(handle);
  await close(handle);
  return text;
}

/** Opens, reads, writes two bytes at the beginning, closes, and reads the file. */
async function attempt(path: string, flags: number): Promise<Outcome> {
  const handle = await open(path, flags);
  if (typeof handle === 'number') return { refused: handle, result: await contentOf(path) };
  const readBack = await readAll(handle);
  await peer.client.ask({ type: 'write', id: 5, handle, offset: 0, data: Buffer.from(added) });
  await close(handle);
  return { readBack, result: await contentOf(path) };
}

/** What POSIX would do, except that opening for reading only does not truncate. */
function expected(flags: number, before: string | undefined): Outcome {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const refusal = refusalOf(has, before);
  if (refusal !== undefined) return { refused: refusal, result: before ?? statusCode.noSuchFile };
  if (!has(write) && !has(append)) return { readBack: before ?? '', result: before ?? '' };
  const base = has(truncate) ? '' : (before ?? '');
  const result = has(append) ? base + added : added + base.slice(added.length);
  return { readBack: has(read) ? base : statusCode.failure, result };
}

function refusalOf(has: (flag: number) => boolean, before: string | undefined): number | undefined {
  if (!has(read) && !has(write) && !has(append)) return statusCode.failure;
  if (before === undefined && !has(create)) return statusCode.noSuchFile;
  return before !== undefined && has(create) && has(exclusive) ? statusCode.failure : undefined;
}

it('every combination of flags opens a stored file like POSIX, or refuses and leaves it', async () => {
  const outcomes: Outcome[] = [];
  for (const flags of combinations) {
    await put(`/data/stored${flags}`);
    outcomes.push(await attempt(`/data/stored${flags}`, flags));
  }
  expect(outcomes).toEqual(combinations.map((flags) => expected(flags, stored)));
});

it('every combination of flags creates a missing file like POSIX, or creates none', async () => {
  const outcomes: Outcome[] = [];
  for (const flags of combinations) outcomes.push(await attempt(`/data/new${flags}`, flags));
  expect(outcomes).toEqual(combinations.map((flags) => expected(flags, undefined)));
});

/** Uploads of the stored content to all of these paths, whose connection breaks. */
async function interruptUploads(paths: readonly string[]): Promise<void> {
  await using cut = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
  for (const path of paths) await beginUpload(cut, path, Buffer.from(stored));
  cut.socket.destroy();
  const held = () => peer.rig.database.query('select from filebox.uploads where lease_until >= now()');
  await waitFor(async () => (await held()).length === 0, { what: 'the uploads to be free' });
}

/** The content of the user's unfinished upload, if it is the only entry of its name. */
async function partialAt(path: string): Promise<string | number> {
  const looked = await contentOf(path);
  if (looked !== statusCode.failure) return looked;
  const handle = await open(path, read | write);
  if (typeof handle === 'number') return handle;
  const text = await readAll(handle);
  await close(handle);
  return `unfinished: ${text}`;
}

/** An interrupted upload has the name, and only WRITE without EXCLUSIVE resumes it. */
function expectedOfPartial(flags: number): Outcome {
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const isReader = !has(write) && !has(append);
  if (isReader || (has(create) && has(exclusive))) {
    return { refused: statusCode.failure, result: `unfinished: ${stored}` };
  }
  return expected(flags, stored);
}

it('every combination of flags resumes an interrupted upload, or replaces it, or refuses and leaves it', async () => {
  const paths = combinations.map((flags) => `/data/interrupted${flags}`);
  await interruptUploads(paths);
  const outcomes: Outcome[] = [];
  for (const flags of combinations) {
    const outcome = await attempt(`/data/interrupted${flags}`, flags);
    const isRefused = outcome.refused !== undefined;
    outcomes.push(isRefused ? { ...outcome, result: await partialAt(`/data/interrupted${flags}`) } : outcome);
  }
  expect(outcomes).toEqual(combinations.map(expectedOfPartial));
});
