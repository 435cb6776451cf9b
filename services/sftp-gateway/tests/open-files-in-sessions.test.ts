import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { describe, expect, it } from 'vitest';
import { filesOfTwoUsers } from './files-of-two-users.ts';

const { read, write, create, truncate, exclusive } = openFlag;
const { ok, noSuchFile, failure } = statusCode;

const two = filesOfTwoUsers();
const { at, status, open, writeAt, close, readAt, remove, rename, put, get, leftOver } = two;

describe('an older version that is still open', () => {
  it('does not replace a newer one of the same session', async () => {
    const first = await open(two.client, 'f', write | create | truncate);
    expect(await writeAt(two.client, first, 'first')).toBe(ok);
    const second = await open(two.client, 'f', write | create | truncate);
    expect(await writeAt(two.client, second, 'second')).toBe(ok);
    expect(await close(two.client, second)).toBe(ok);
    expect(await close(two.client, first)).toBe(ok);
    expect(await get(two.client, 'f')).toBe('second');
    expect(await leftOver()).toBe(0);
  });
});

describe('a file that another session changes while it is open', () => {
  it('and was opened to be changed fails its CLOSE if the file was removed', async () => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', read | write);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await remove(two.other, 'e')).toBe(ok);
    expect(await close(two.client, handle)).toBe(noSuchFile);
    expect(await get(two.client, 'e')).toBeUndefined();
    expect(await leftOver()).toBe(0);
  });

  it('and was opened to be changed is committed where it was renamed to', async () => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', read | write);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await rename(two.other, 'e', 'f')).toBe(ok);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('new');
    expect(await get(two.other, 'e')).toBeUndefined();
  });

  it('and was renamed there takes its name from an OPEN that asks for a new one', async () => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', read | write);
    expect(await rename(two.other, 'e', 'f')).toBe(ok);
    const asking = { type: 'open', path: at('f'), flags: write | create | exclusive, attributes: {} } as const;
    expect(await status(two.client, asking)).toBe(failure);
    expect(await close(two.client, handle)).toBe(ok);
  });

  it('and was written to again after a commit is read as it is being written where it was renamed to', async () => {
    const first = await open(two.client, 'e', write | create | truncate);
    const second = await open(two.client, 'e', read | write);
    expect(await writeAt(two.client, first, 'one')).toBe(ok);
    expect(await close(two.client, first)).toBe(ok);
    expect(await writeAt(two.client, second, 'two', 3)).toBe(ok);
    expect(await rename(two.other, 'e', 'f')).toBe(ok);
    const reading = await open(two.client, 'f', read);
    expect(await readAt(two.client, reading)).toBe('onetwo');
    expect(await get(two.other, 'f')).toBe('one');
    for (const handle of [reading, second]) expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('onetwo');
  });

  it('and was opened as a new version is committed as that, under its name', async () => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', write | create | truncate);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await rename(two.other, 'e', 'f')).toBe(ok);
    expect(await remove(two.other, 'f')).toBe(ok);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'e')).toBe('new');
    expect(await get(two.other, 'f')).toBeUndefined();
  });
});

describe('OPEN to read with CREAT', () => {
  it('creates an empty file and opens it', async () => {
    const handle = await open(two.client, 'empty', read | create);
    expect(await readAt(two.client, handle)).toBe('');
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'empty')).toBe('');
    const again = { type: 'open', path: at('empty'), flags: read | create | exclusive, attributes: {} } as const;
    expect(await status(two.client, again)).toBe(failure);
    await put(two.client, 'full', 'text');
    const full = await open(two.client, 'full', read | create);
    expect(await readAt(two.client, full)).toBe('text');
    expect(await close(two.client, full)).toBe(ok);
  });
});

it('a file that was renamed before the connection broke is resumed under its new name', async () => {
  {
    await using cut = await two.connect('globex');
    const handle = await open(cut, 'before', write | create | truncate);
    expect(await writeAt(cut, handle, 'half')).toBe(ok);
    expect(await rename(cut, 'before', 'after')).toBe(ok);
  }
  expect(await status(two.client, { type: 'lstat', path: at('before') })).toBe(noSuchFile);
  await expect
    .poll(async () => {
      const answer = await two.client.ask({ type: 'open', id: 1, path: at('after'), flags: write, attributes: {} });
      return answer.type === 'handle' ? Buffer.from(answer.handle) : undefined;
    })
    .toSatisfy((handle) => handle !== undefined);
  const attributes = await two.client.ask({ type: 'lstat', id: 1, path: at('after') });
  expect(attributes).toMatchObject({ type: 'attrs', attributes: { size: 4 } });
});
