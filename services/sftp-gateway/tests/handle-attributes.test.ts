import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { describe, expect, it } from 'vitest';
import { gatewayWithClient } from './gateway-with-client.ts';

const { read, write, append, create, truncate } = openFlag;
const modified = 1_600_000_000;
const attributes: FileAttributes = {
  permissions: 0o100_640,
  ownership: { uid: 1000, gid: 50 },
  times: { accessed: modified, modified },
};
const kept = { metadata: { 'sftp.mode': '0640', 'sftp.owner': '1000:50' }, modified };

const peer = gatewayWithClient();

const open = (name: string, flags: number) => peer.open(`/data/${name}`, flags);

const done = { type: 'status', code: 0 };
const writeText = (handle: Buffer, text: string) =>
  peer.client.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.from(text) });
const setAttributes = async (handle: Buffer) =>
  expect(await peer.client.ask({ type: 'fsetstat', id: 3, handle, attributes })).toMatchObject(done);
const close = async (handle: Buffer) =>
  expect(await peer.client.ask({ type: 'close', id: 4, handle })).toMatchObject(done);

/** Stores a file, and returns the id of this version. */
async function put(name: string): Promise<unknown> {
  const handle = await open(name, write | create | truncate);
  await writeText(handle, 'content');
  await close(handle);
  return (await stored(name))?.['id'];
}

async function stored(name: string) {
  const [file] = await peer.rig.database.query(
    `select id, size::int as size, metadata, extract(epoch from modified_at)::int as modified
     from filebox.entries where name = $1`,
    [name],
  );
  return file;
}

describe('mode, owner and time, set by a handle of an existing file,', () => {
  it.each([
    ['opened to read', read],
    ['opened to write', write],
    ['opened for both', read | write],
  ])('%s, are stored without a new version if nothing is written', async (_how, flags) => {
    const name = `untouched${flags}`;
    const id = await put(name);
    const handle = await open(name, flags);
    await setAttributes(handle);
    expect(await stored(name)).toMatchObject({ id, ...kept });
    await close(handle);
    expect(await stored(name)).toMatchObject({ id, size: 7, ...kept });
  });

  it('are those of the version that is written after that', async () => {
    const id = await put('written');
    const handle = await open('written', write);
    await setAttributes(handle);
    await writeText(handle, 'more content');
    await close(handle);
    const file = await stored('written');
    expect(file).toMatchObject({ size: 12, ...kept });
    expect(file?.['id']).not.toBe(id);
  });

  it('are not those of the old version if they are set after a write', async () => {
    const id = await put('late');
    const handle = await open('late', write);
    await writeText(handle, 'more content');
    await setAttributes(handle);
    expect(await stored('late')).toMatchObject({ id, size: 7, metadata: {} });
    await close(handle);
    expect(await stored('late')).toMatchObject({ size: 12, ...kept });
  });
});

describe('FSTAT shows', () => {
  const shownBy = (handle: Buffer) => peer.client.ask({ type: 'fstat', id: 6, handle });
  const shownAt = (name: string) => peer.client.ask({ type: 'stat', id: 7, path: Buffer.from(`/data/${name}`) });

  it.each([
    ['a new file', write | create | truncate, true],
    ['a version that is written', write, true],
    ['a file that is not written to', write, false],
    ['a file that is read', read, false],
  ])('for %s the time that FSETSTAT set, and what STAT shows after its CLOSE', async (_what, flags, writes) => {
    const name = `shown${flags}${writes}`;
    await put(name);
    const handle = await open(name, flags);
    if (writes) await writeText(handle, 'content');
    await setAttributes(handle);
    const answer = await shownBy(handle);
    expect(answer).toMatchObject({ attributes: { size: 7, times: { modified } } });
    await close(handle);
    const closed = await shownAt(name);
    const [before, after] = [answer, closed].map((one) => (one.type === 'attrs' ? one.attributes : undefined));
    expect(after).toEqual({ ...before, times: after?.times });
    expect(after?.times?.modified).toBe(modified);
  });

  it('what STAT shows meanwhile, also after SETSTAT', async () => {
    const handle = await open('by-path', write | create | truncate);
    await writeText(handle, 'content');
    const path = Buffer.from('/data/by-path');
    expect(
      await peer.client.ask({ type: 'setstat', id: 8, path, attributes: { times: { accessed: modified, modified } } }),
    ).toMatchObject(done);
    for (const answer of [await shownBy(handle), await shownAt('by-path')]) {
      expect(answer).toMatchObject({ attributes: { size: 7, times: { modified } } });
    }
    await close(handle);
  });

  it('the unchanged time of a file that is open for writing and was not written', async () => {
    await put('aged');
    await peer.rig.database.query(
      "update filebox.entries set modified_at = '2001-02-03T04:05:06Z' where name = 'aged'",
    );
    const handle = await open('aged', read | write);
    const then = Date.parse('2001-02-03T04:05:06Z') / 1_000;
    expect(await shownBy(handle)).toMatchObject({ attributes: { times: { modified: then } } });
    await writeText(handle, 'content');
    expect(await shownBy(handle)).not.toMatchObject({ attributes: { times: { modified: then } } });
    await close(handle);
  });
});

it('All metadata and the media type are kept by an append or a truncation, not by a new upload', async () => {
  const described = () =>
    peer.rig.database.query(
      `select size::int as size, metadata, system_metadata as system, media_type as media
       from filebox.entries where name = 'changed'`,
    );
  await put('changed');
  await peer.rig.database.query(
    `update filebox.entries set metadata = '{"origin":"plant 4","sftp.mode":"0640"}',
       system_metadata = '{"DESCRIPTION":"a list"}', media_type = 'text/csv' where name = 'changed'`,
  );
  const appending = await open('changed', write | append);
  await writeText(appending, ' and more');
  await close(appending);
  const metadata = { origin: 'plant 4', 'sftp.mode': '0640' };
  const asBefore = { metadata, system: { DESCRIPTION: 'a list' }, media: 'text/csv' };
  expect(await described()).toEqual([{ ...asBefore, size: 16 }]);
  const cut = { type: 'setstat', id: 5, path: Buffer.from('/data/changed'), attributes: { size: 2 } } as const;
  expect(await peer.client.ask(cut)).toMatchObject(done);
  expect(await described()).toEqual([{ ...asBefore, size: 2 }]);
  await put('changed');
  expect(await described()).toEqual([{ size: 7, metadata: {}, system: {}, media: 'application/octet-stream' }]);
});
