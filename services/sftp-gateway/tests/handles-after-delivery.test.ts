import { createHash } from 'node:crypto';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { describe, expect, it } from 'vitest';
import { filesOfTwoUsers } from './files-of-two-users.ts';

const { read, write, create, truncate, append } = openFlag;
const { ok, noSuchFile } = statusCode;

const two = filesOfTwoUsers();
const { at, status, open, writeAt, close, readAt, remove, rename, posixRename, put, get, leftOver } = two;

async function sizeOf(name: string): Promise<number | bigint | undefined> {
  const answer = await two.client.ask({ type: 'lstat', id: 1, path: at(name) });
  return answer.type === 'attrs' ? answer.attributes.size : undefined;
}

/** FSTAT. */
async function sizeOfHandle(handle: Buffer): Promise<number | bigint | undefined> {
  const answer = await two.client.ask({ type: 'fstat', id: 1, handle });
  return answer.type === 'attrs' ? answer.attributes.size : undefined;
}

/** SHA-256 of all that a handle reads, at the end of what check-file answers. */
async function hashOfHandle(handle: Buffer): Promise<Buffer | undefined> {
  const all = { algorithms: ['sha256'], offset: 0, length: 0, blockBytes: 0 };
  const answer = await two.client.ask({ type: 'check-file-handle', id: 1, handle, ...all });
  return answer.type === 'extended-reply' ? Buffer.from(answer.data.subarray(-32)) : undefined;
}

/** A handle of a file that another handle of the session has committed. */
async function openDelivered(name: string): Promise<Buffer> {
  const first = await open(two.client, name, write | create | truncate);
  const second = await open(two.client, name, read | write);
  expect(await writeAt(two.client, first, 'mine')).toBe(ok);
  expect(await close(two.client, first)).toBe(ok);
  return second;
}

describe('a handle of a version that a later one of the same session has replaced', () => {
  const openReplaced = async (): Promise<Buffer> => {
    const older = await open(two.client, 'f', read | write | create | truncate);
    expect(await writeAt(two.client, older, 'older')).toBe(ok);
    await put(two.client, 'f', 'new');
    return older;
  };

  it('hides nothing of the newer version from its session', async () => {
    const older = await openReplaced();
    expect(await sizeOf('f')).toBe(3);
    expect(await get(two.client, 'f')).toBe('new');
    const appending = await open(two.client, 'f', write | append);
    expect(await writeAt(two.client, appending, '+')).toBe(ok);
    expect(await close(two.client, appending)).toBe(ok);
    expect(await close(two.client, older)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('new+');
    expect(await leftOver()).toBe(0);
  });

  it('continues with the newer version', async () => {
    const older = await openReplaced();
    expect(await readAt(two.client, older)).toBe('new');
    expect(await writeAt(two.client, older, 'N')).toBe(ok);
    expect(await close(two.client, older)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('New');
    expect(await leftOver()).toBe(0);
  });
});

describe('a handle of a file that was already committed', () => {
  it('leaves a handle that has read the committed version with that version', async () => {
    const first = await open(two.client, 'f', write | create | truncate);
    const second = await open(two.client, 'f', read | write);
    const reading = await open(two.client, 'f', read);
    expect(await writeAt(two.client, first, 'mine')).toBe(ok);
    expect(await close(two.client, first)).toBe(ok);
    expect(await readAt(two.client, reading)).toBe('mine');
    expect(await writeAt(two.client, second, 'Mine and more')).toBe(ok);
    expect(await readAt(two.client, reading)).toBe('mine');
    expect(await sizeOfHandle(reading)).toBe(4);
    expect(await sizeOfHandle(second)).toBe(13);
    expect(await close(two.client, second)).toBe(ok);
    expect(await readAt(two.client, reading)).toBe('mine');
    expect(await sizeOfHandle(reading)).toBe(4);
    expect(await hashOfHandle(reading)).toEqual(createHash('sha256').update('mine').digest());
    expect(await close(two.client, reading)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('Mine and more');
    expect(await leftOver()).toBe(0);
  });

  it.each([
    ['written', () => put(two.client, 'f', 'new')],
    ['opened with READ and CREATE', async () => close(two.client, await open(two.client, 'f', read | create))],
  ])('fails its CLOSE after a WRITE that failed, although a new file was %s at the name', async (_, makeNew) => {
    const handle = await openDelivered('f');
    expect(await remove(two.other, 'f')).toBe(ok);
    expect(await writeAt(two.client, handle, 'M')).toBe(noSuchFile);
    await makeNew();
    expect(await close(two.client, handle)).toBe(noSuchFile);
    expect(await leftOver()).toBe(0);
  });

  it('shares the version with one that is opened afterwards: what either writes is committed', async () => {
    const second = await openDelivered('f');
    const third = await open(two.client, 'f', read | write);
    expect(await writeAt(two.client, third, 'M')).toBe(ok);
    expect(await writeAt(two.client, second, 'E', 3)).toBe(ok);
    expect(await close(two.client, third)).toBe(ok);
    expect(await close(two.client, second)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('MinE');
    expect(await leftOver()).toBe(0);
  });

  it('continues with that, whatever else its user is uploading under the name', async () => {
    const second = await openDelivered('f');
    const newer = await open(two.client, 'f', write | create | truncate);
    expect(await readAt(two.client, second)).toBe('mine');
    expect(await close(two.client, newer)).toBe(ok);
    expect(await close(two.client, second)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('');
  });

  it('sets attributes of its own file only', async () => {
    const second = await openDelivered('f');
    expect(await rename(two.other, 'f', 'moved')).toBe(ok);
    await put(two.other, 'f', 'another');
    const attributes = { times: { accessed: 1_600_000_000, modified: 1_600_000_000 } };
    expect(await status(two.client, { type: 'fsetstat', handle: second, attributes })).toBe(ok);
    const answer = await two.other.ask({ type: 'lstat', id: 1, path: at('f') });
    expect(answer).not.toMatchObject({ attributes });
    expect(await close(two.client, second)).toBe(ok);
  });

  it('follows the file that another session has renamed, and writes to no other', async () => {
    const second = await openDelivered('f');
    expect(await rename(two.other, 'f', 'moved')).toBe(ok);
    await put(two.other, 'f', 'another');
    expect(await writeAt(two.client, second, 'M')).toBe(ok);
    expect(await close(two.client, second)).toBe(ok);
    expect(await get(two.other, 'moved')).toBe('Mine');
    expect(await get(two.other, 'f')).toBe('another');
  });

  it('follows the folder that another session has renamed', async () => {
    expect(await status(two.client, { type: 'mkdir', path: at('in'), attributes: {} })).toBe(ok);
    const second = await openDelivered('in/f');
    const reader = await open(two.client, 'in/f', read);
    expect(await rename(two.other, 'in', 'out')).toBe(ok);
    expect(await readAt(two.client, reader)).toBe('mine');
    expect(await writeAt(two.client, second, 'M')).toBe(ok);
    expect(await close(two.client, second)).toBe(ok);
    expect(await get(two.other, 'out/f')).toBe('Mine');
  });

  it('writes nothing after another session has replaced the file by a rename, or removed it', async () => {
    const [second, removed] = [await openDelivered('f'), await openDelivered('g')];
    await put(two.other, 'h', 'another');
    expect(await posixRename(two.other, 'h', 'f')).toBe(ok);
    expect(await writeAt(two.client, second, 'M')).toBe(noSuchFile);
    expect(await close(two.client, second)).toBe(noSuchFile);
    expect(await get(two.other, 'f')).toBe('another');
    expect(await remove(two.other, 'g')).toBe(ok);
    await put(two.other, 'g', 'another');
    expect(await writeAt(two.client, removed, 'M')).toBe(noSuchFile);
    expect(await close(two.client, removed)).toBe(noSuchFile);
    expect(await get(two.other, 'g')).toBe('another');
    expect(await leftOver()).toBe(0);
  });

  it('does not continue with a file that its session creates after another session has removed the first one', async () => {
    const second = await openDelivered('f');
    expect(await remove(two.other, 'f')).toBe(ok);
    await put(two.client, 'f', 'another');
    expect(await writeAt(two.client, second, 'M')).toBe(noSuchFile);
    expect(await close(two.client, second)).toBe(noSuchFile);
    expect(await get(two.other, 'f')).toBe('another');
  });
});
