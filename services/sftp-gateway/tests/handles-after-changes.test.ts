import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { describe, expect, it } from 'vitest';
import { gatewayWithClient } from './gateway-with-client.ts';

const { read, write, create, truncate } = openFlag;
const modified = 1_600_000_000;
const attributes: FileAttributes = { permissions: 0o100_640, times: { accessed: modified, modified } };
const given = { metadata: { 'sftp.mode': '0640' }, modified };
const done = { type: 'status', code: 0 };
const missing = { type: 'status', code: 2 };

const peer = gatewayWithClient();

const path = (name: string) => Buffer.from(`/data/${name}`);

const open = (name: string, flags: number) => peer.open(`/data/${name}`, flags);

async function put(name: string): Promise<void> {
  const handle = await open(name, write | create | truncate);
  await peer.client.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.from(name) });
  expect(await peer.client.ask({ type: 'close', id: 3, handle })).toMatchObject(done);
}

async function stored(name: string) {
  const [file] = await peer.rig.database.query(
    `select metadata, extract(epoch from modified_at)::int as modified from filebox.entries where name = $1`,
    [name],
  );
  return file;
}

const rename = async (from: string, to: string) =>
  expect(await peer.client.ask({ type: 'rename', id: 4, oldPath: path(from), newPath: path(to) })).toMatchObject(done);
const remove = async (name: string) =>
  expect(await peer.client.ask({ type: 'remove', id: 5, path: path(name) })).toMatchObject(done);

/** What happens to an open file, and its name after that, if it still has one. */
const changes: Record<string, (name: string) => Promise<string | undefined>> = {
  'replaced by a new version': async (name) => {
    await put(name);
    return undefined;
  },
  deleted: async (name) => {
    await remove(name);
    return undefined;
  },
  'renamed, and another one has its name': async (name) => {
    await rename(name, `${name}-moved`);
    await put(name);
    return `${name}-moved`;
  },
};

describe.each(Object.keys(changes))('a file that was opened and then %s', (change) => {
  const nameOf = (kind: string) => `${kind}-${Object.keys(changes).indexOf(change)}`;

  it('gets what FSETSTAT sets by a reading handle, wherever it is, and no other file does', async () => {
    const name = nameOf('reading');
    await put(name);
    const handle = await open(name, read);
    const now = await changes[change]?.(name);
    const answer = await peer.client.ask({ type: 'fsetstat', id: 6, handle, attributes });
    expect(answer).toMatchObject(now === undefined ? missing : done);
    if (now !== undefined) expect(await stored(now)).toMatchObject(given);
    expect((await stored(name)) ?? {}).not.toMatchObject({ modified });
    expect((await stored(name)) ?? {}).not.toMatchObject({ metadata: given.metadata });
    await peer.client.ask({ type: 'close', id: 7, handle });
  });

  it('passes what FSETSTAT sets on to the version that is written, and to nothing else', async () => {
    const name = nameOf('writing');
    await put(name);
    const handle = await open(name, write);
    const now = await changes[change]?.(name);
    expect(await peer.client.ask({ type: 'fsetstat', id: 6, handle, attributes })).toMatchObject(done);
    expect((await stored(name)) ?? {}).not.toMatchObject({ modified });
    expect((await stored(name)) ?? {}).not.toMatchObject({ metadata: given.metadata });
    await peer.client.ask({ type: 'write', id: 7, handle, offset: 0, data: Buffer.from('changed') });
    expect(await peer.client.ask({ type: 'close', id: 8, handle })).toMatchObject(done);
    if (change === 'deleted') expect(await stored(name)).toBeUndefined();
    else expect(await stored(now ?? name)).toMatchObject(given);
    if (now !== undefined) expect(await stored(name)).not.toMatchObject(given);
  });

  it('still returns the room where it is', async () => {
    const name = nameOf('room');
    await put(name);
    const handle = await open(name, read);
    await changes[change]?.(name);
    expect(await peer.client.ask({ type: 'fstatvfs', id: 9, handle })).toMatchObject({ type: 'extended-reply' });
    await peer.client.ask({ type: 'close', id: 10, handle });
  });
});

it('FSETSTAT by the handle of a folder changes no file that has its name now', async () => {
  expect(await peer.client.ask({ type: 'mkdir', id: 11, path: path('place'), attributes: {} })).toMatchObject(done);
  const opened = await peer.client.ask({ type: 'opendir', id: 12, path: path('place') });
  const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
  expect(await peer.client.ask({ type: 'rmdir', id: 13, path: path('place') })).toMatchObject(done);
  await put('place');
  expect(await peer.client.ask({ type: 'fsetstat', id: 14, handle, attributes })).toMatchObject(missing);
  expect(await stored('place')).toMatchObject({ metadata: {} });
  expect(await stored('place')).not.toMatchObject({ modified });
});
