import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { describe, expect, it } from 'vitest';
import { filesOfTwoUsers } from './files-of-two-users.ts';

const { read, write, create, truncate, exclusive, append } = openFlag;
const { ok, noSuchFile, failure } = statusCode;

const two = filesOfTwoUsers();
const { at, status, open, writeAt, close, readAt, remove, rename, posixRename, put, get, told, leftOver } = two;
const pathOf = (name: string): string => at(name).toString();

const modes = { 'r+': read | write, w: write | create | truncate };

describe.each(Object.keys(modes) as (keyof typeof modes)[])('a file that is open for writing (%s)', (mode) => {
  it('and is removed stays removed: CLOSE commits nothing and leaves nothing behind', async () => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', modes[mode]);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await remove(two.client, 'e')).toBe(ok);
    expect(await get(two.client, 'e')).toBeUndefined();
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'e')).toBeUndefined();
    expect(await leftOver()).toBe(0);
    // The old version was uploaded, and was never downloaded.
    const uploaded = expect.stringContaining(`Server upload file ${pathOf('e')}`);
    const deleted = expect.stringContaining(`Server delete file ${pathOf('e')}`);
    const refused = `Server download file ${pathOf('e')} was refused: The file does not exist`;
    expect(await told()).toEqual({ audited: [uploaded, deleted, refused], started: [pathOf('e')] });
  });

  it.each(['rename', 'posix-rename'] as const)('and is renamed (%s) is committed under the new name', async (how) => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', modes[mode]);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await (how === 'rename' ? rename : posixRename)(two.client, 'e', 'f')).toBe(ok);
    expect(await get(two.other, 'f')).toBe('old');
    expect(await writeAt(two.client, handle, '+', 3)).toBe(ok);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'f')).toBe('new+');
    expect(await get(two.client, 'e')).toBeUndefined();
    expect((await told()).started).toEqual([pathOf('e'), pathOf('f')]);
  });

  it('and is removed does not replace a file that is created with its name afterwards', async () => {
    await put(two.client, 'e', 'old');
    const handle = await open(two.client, 'e', modes[mode]);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await remove(two.client, 'e')).toBe(ok);
    await put(two.client, 'e', 'another');
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'e')).toBe('another');
  });

  it('and is replaced by a rename does not come back', async () => {
    await put(two.client, 'e', 'old');
    await put(two.client, 'f', 'other');
    const handle = await open(two.client, 'e', modes[mode]);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await rename(two.client, 'f', 'e')).toBe(failure);
    expect(await posixRename(two.client, 'f', 'e')).toBe(ok);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'e')).toBe('other');
    expect(await leftOver()).toBe(0);
  });

  it('moves with its folder', async () => {
    expect(await status(two.client, { type: 'mkdir', path: at('in'), attributes: {} })).toBe(ok);
    await put(two.client, 'in/e', 'old');
    const handle = await open(two.client, 'in/e', modes[mode]);
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await rename(two.client, 'in', 'out')).toBe(ok);
    expect(await rename(two.client, 'out/e', 'f')).toBe(ok);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'f')).toBe('new');
  });
});

describe('a new file that is open', () => {
  const lock = () => open(two.client, 'lock', write | create | exclusive);

  it('is removed like any other, and starts nothing', async () => {
    const handle = await lock();
    expect(await writeAt(two.client, handle, 'x')).toBe(ok);
    expect(await remove(two.client, 'lock')).toBe(ok);
    expect(await status(two.client, { type: 'lstat', path: at('lock') })).toBe(noSuchFile);
    expect(await remove(two.client, 'lock')).toBe(noSuchFile);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'lock')).toBeUndefined();
    // Nothing but the refusals of what the client tried afterwards.
    const refusals = ['delete', 'download'].map(
      (operation) => `Server ${operation} file ${pathOf('lock')} was refused: The file does not exist`,
    );
    expect(await told()).toEqual({ audited: refusals, started: [] });
    expect(await leftOver()).toBe(0);
  });

  it.each(['before', 'after'])(
    'under a temporary name starts contracts once when it is renamed %s its CLOSE',
    async (when) => {
      const handle = await open(two.client, 'x.part', write | create | exclusive);
      expect(await writeAt(two.client, handle, 'all of it')).toBe(ok);
      if (when === 'after') expect(await close(two.client, handle)).toBe(ok);
      expect(await rename(two.client, 'x.part', 'x')).toBe(ok);
      if (when === 'before') expect(await close(two.client, handle)).toBe(ok);
      expect(await get(two.other, 'x')).toBe('all of it');
      expect((await told()).started).toEqual([pathOf('x')]);
      const dfics = await two.rig.database.query(
        `select dfic ->> 'original_filename' as name from filebox.entries where name = 'x' order by id desc limit 1`,
      );
      expect(dfics).toEqual([{ name: 'x' }]);
    },
  );

  it('replaces a file by posix-rename, for others at its CLOSE', async () => {
    await put(two.client, 'config', 'old');
    const handle = await lock();
    expect(await writeAt(two.client, handle, 'new')).toBe(ok);
    expect(await rename(two.client, 'lock', 'config')).toBe(failure);
    expect(await posixRename(two.client, 'lock', 'config')).toBe(ok);
    expect(await get(two.other, 'config')).toBe('old');
    expect(await get(two.client, 'config')).toBe('new');
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'config')).toBe('new');
    expect((await told()).audited.filter((message) => message.includes('lock'))).toEqual([]);
  });

  it('reserves its name', async () => {
    const handle = await lock();
    const again = { type: 'open', path: at('lock'), flags: write | create | exclusive, attributes: {} } as const;
    expect(await status(two.client, again)).toBe(failure);
    expect(await status(two.client, { type: 'mkdir', path: at('lock'), attributes: {} })).toBe(failure);
    expect(await status(two.client, { type: 'rmdir', path: at('lock') })).toBe(failure);
    expect(await status(two.client, { type: 'rmdir', path: at('') })).toBe(failure);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.client, 'lock')).toBe('');
  });

  it('can be opened again: what another handle appends is committed with it', async () => {
    const first = await open(two.client, 'log', write | create | truncate);
    expect(await writeAt(two.client, first, 'one\n')).toBe(ok);
    const second = await open(two.client, 'log', write | append);
    expect(await writeAt(two.client, second, 'two\n')).toBe(ok);
    expect(await close(two.client, first)).toBe(ok);
    expect(await get(two.other, 'log')).toBe('one\ntwo\n');
    expect(await writeAt(two.client, second, 'three\n')).toBe(ok);
    expect(await close(two.client, second)).toBe(ok);
    expect(await get(two.other, 'log')).toBe('one\ntwo\nthree\n');
    expect((await told()).started).toHaveLength(2);
  });

  it('is read by its own session while it grows, and after its commit', async () => {
    const writer = await open(two.client, 'growing', write | create | truncate);
    expect(await writeAt(two.client, writer, 'one ')).toBe(ok);
    const reader = await open(two.client, 'growing', read);
    expect(await readAt(two.client, reader)).toBe('one ');
    expect(await writeAt(two.client, writer, 'two', 4)).toBe(ok);
    expect(await readAt(two.client, reader)).toBe('one two');
    const size = await two.client.ask({ type: 'fstat', id: 1, handle: reader });
    expect(size).toMatchObject({ type: 'attrs', attributes: { size: 7 } });
    expect(await writeAt(two.client, reader, 'no')).toBe(failure);
    expect(await close(two.client, writer)).toBe(ok);
    expect(await readAt(two.client, reader)).toBe('one two');
    expect(await close(two.client, reader)).toBe(ok);
    expect(await status(two.other, { type: 'lstat', path: at('growing') })).toBe('attrs');
  });

  it('is not mistaken for another file that has its name when it is read after its commit', async () => {
    const writer = await open(two.client, 'mine', write | create | truncate);
    expect(await writeAt(two.client, writer, 'mine')).toBe(ok);
    const reader = await open(two.client, 'mine', read);
    expect(await close(two.client, writer)).toBe(ok);
    expect(await rename(two.client, 'mine', 'moved')).toBe(ok);
    await put(two.client, 'mine', 'another');
    expect(await readAt(two.client, reader)).toBe('mine');
    expect(await close(two.client, reader)).toBe(ok);
  });

  it('is not found by a reading handle after it was committed and removed', async () => {
    const writer = await open(two.client, 'mine', write | create | truncate);
    expect(await writeAt(two.client, writer, 'mine')).toBe(ok);
    const reader = await open(two.client, 'mine', read);
    expect(await close(two.client, writer)).toBe(ok);
    expect(await remove(two.client, 'mine')).toBe(ok);
    await put(two.client, 'mine', 'another');
    expect(await readAt(two.client, reader)).toBe(noSuchFile);
    expect(await close(two.client, reader)).toBe(ok);
  });

  it('is invisible to others, who can neither remove nor rename it', async () => {
    const handle = await lock();
    expect(await remove(two.other, 'lock')).toBe(noSuchFile);
    expect(await rename(two.other, 'lock', 'mine')).toBe(noSuchFile);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'lock')).toBe('');
  });
});
