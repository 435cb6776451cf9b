import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOfTwoUsers } from './files-of-two-users.ts';
import { openRawChannel, type RawSftpClient } from './raw-sftp-client.ts';

const { read, write } = openFlag;
const { ok } = statusCode;

const two = filesOfTwoUsers();
const { open, writeAt, close, readAt, put, get, at, status, leftOver } = two;

/** Another channel of the connection: the session is the same. */
let second: RawSftpClient;

beforeAll(async () => {
  second = await openRawChannel(two.client);
  await second.ask({ type: 'init', version: 3, extensions: [] });
});
afterAll(() => second[Symbol.asyncDispose]());

const rounds = Array.from({ length: 25 }, (_, round) => `f${round}`);

/** A handle in each channel, of one version of an existing file. */
async function openInBoth(name: string): Promise<[Buffer, Buffer]> {
  await put(two.client, name, '----');
  return [await open(two.client, name, read | write), await open(second, name, read | write)];
}

/** The results of repeating the action until the file is closed without an error. */
async function during<T>(closing: Promise<unknown>, act: () => Promise<T>): Promise<T[]> {
  const end = new AbortController();
  const closed = closing.finally(() => end.abort());
  const answers: T[] = [];
  do answers.push(await act());
  while (!end.signal.aborted);
  expect(await closed).toBe(ok);
  return answers;
}

describe('two handles of one version, in two channels of a connection', () => {
  it('are both closed at the same moment without an error, and commit what both have written', async () => {
    for (const name of rounds) {
      const [first, other] = await openInBoth(name);
      expect(await writeAt(two.client, first, 'A')).toBe(ok);
      expect(await writeAt(second, other, 'B', 3)).toBe(ok);
      expect(await Promise.all([close(two.client, first), close(second, other)])).toEqual([ok, ok]);
      expect(await get(two.other, name)).toBe('A--B');
    }
    expect(await leftOver()).toBe(0);
  });

  it('lose no WRITE of one that arrives during the CLOSE of the other', async () => {
    for (const name of rounds) {
      const [first, other] = await openInBoth(name);
      expect(await writeAt(two.client, first, 'A')).toBe(ok);
      const written = await during(close(two.client, first), () => writeAt(second, other, 'B', 1));
      expect(new Set(written)).toEqual(new Set([ok]));
      expect(await writeAt(second, other, 'CC', 1)).toBe(ok);
      expect(await writeAt(second, other, 'D', 2)).toBe(ok);
      expect(await close(second, other)).toBe(ok);
      expect(await get(two.other, name)).toBe('ACD-');
    }
    expect(await leftOver()).toBe(0);
  });

  it('can be read, truncated, synced and given a time by one during the CLOSE of the other', async () => {
    const times = { accessed: 1_600_000_000, modified: 1_600_000_000 };
    for (const name of rounds) {
      const [first, other] = await openInBoth(name);
      expect(await writeAt(two.client, first, 'A')).toBe(ok);
      const [closed, text, ...changed] = await Promise.all([
        close(two.client, first),
        readAt(second, other),
        status(second, { type: 'fsync', handle: other }),
        status(second, { type: 'fsetstat', handle: other, attributes: { size: 2 } }),
        status(second, { type: 'fsetstat', handle: other, attributes: { times } }),
        close(second, other),
      ]);
      expect([closed, text, ...changed]).toEqual([ok, 'A---', ok, ok, ok, ok]);
      expect(await get(two.other, name)).toBe('A-');
      const looked = await two.other.ask({ type: 'lstat', id: 1, path: at(name) });
      expect(looked).toMatchObject({ attributes: { times: { modified: times.modified } } });
    }
    expect(await leftOver()).toBe(0);
  });

  it('can be read by a third one, which was opened for reading only, while they are closed', async () => {
    for (const name of rounds) {
      const [first, other] = await openInBoth(name);
      expect(await writeAt(two.client, first, 'A')).toBe(ok);
      const reader = await open(second, name, read);
      const texts = await during(close(two.client, first), () => readAt(second, reader));
      expect(new Set(texts)).toEqual(new Set(['A---']));
      expect(await close(second, other)).toBe(ok);
      expect(await readAt(second, reader)).toBe('A---');
      expect(await close(second, reader)).toBe(ok);
    }
    expect(await leftOver()).toBe(0);
  });
});
