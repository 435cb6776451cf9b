import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeRequest } from '@waybill/sftp-protocol/requests/encode-request';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayWithClient } from './gateway-with-client.ts';

const { read, write, create, truncate } = openFlag;

const fixture = gatewayWithClient();
let local: Awaited<ReturnType<typeof createTestFolder>>;
const content = randomBytes(2_500_000);

beforeAll(async () => {
  local = await createTestFolder();
  await writeFile(join(local.path, 'source'), content);
  const outcome = await sftp(`put ${local.path}/source /data/source`);
  if (outcome.exitCode !== 0) throw new Error(outcome.stderr);
});
afterAll(() => local?.remove());

const sftp = (...commands: string[]) =>
  runSftp({ port: fixture.gateway.sftpPort, user: 'globex', password: 'globex-demo', commands });

async function stored(path: string): Promise<Buffer> {
  const back = join(local.path, 'back');
  expect(await sftp(`get ${path} ${back}`)).toMatchObject({ exitCode: 0 });
  return readFile(back);
}

describe('copy-data', () => {
  it('copies a file for the OpenSSH client, audited as a download and an upload', async () => {
    expect(await sftp('cp /data/source /data/copied')).toMatchObject({ exitCode: 0, stderr: '' });
    const facts = (await fixture.rig.audited()).filter(({ auditMessage }) =>
      /\/data\/(?:source|copied)/u.test(auditMessage),
    );
    const operations = facts.slice(-2).map(({ auditOperation }) => auditOperation);
    expect(operations).toEqual(['SERVER_DOWNLOAD_FILE', 'SERVER_UPLOAD_FILE']);
    expect((await stored('/data/copied')).equals(content)).toBe(true);
  });

  it('copies a whole file without moving a byte, and leaves each its own from the first change on', async () => {
    const blobsOf = (...names: string[]) =>
      fixture.rig.database.query('SELECT DISTINCT blob_id FROM filebox.entries WHERE name = ANY ($1)', [names]);
    const { client } = fixture;
    for (const [name, length] of [
      ['shared-all', 0],
      ['shared-exactly', content.length],
    ] as const) {
      const handle = await fixture.open('/data/source', read);
      const targetHandle = await fixture.open(`/data/${name}`, write | create | truncate);
      const copy = { type: 'copy-data', id: 2, handle, targetHandle, offset: 0, length, targetOffset: 0 } as const;
      expect(await client.ask(copy)).toMatchObject({ code: 0 });
      const stat = await client.ask({ type: 'fstat', id: 3, handle: targetHandle });
      expect(stat).toMatchObject({ attributes: { size: content.length } });
      for (const open of [handle, targetHandle]) await client.ask({ type: 'close', id: 4, handle: open });
    }
    expect(await blobsOf('source', 'shared-all', 'shared-exactly')).toHaveLength(1);
    expect((await stored('/data/shared-all')).equals(content)).toBe(true);

    const changed = await fixture.open('/data/shared-all', write);
    await client.ask({ type: 'write', id: 5, handle: changed, offset: 3, data: Buffer.from('changed') });
    await client.ask({ type: 'close', id: 6, handle: changed });
    const expected = Buffer.concat([content.subarray(0, 3), Buffer.from('changed'), content.subarray(10)]);
    expect((await stored('/data/shared-all')).equals(expected)).toBe(true);
    for (const name of ['source', 'shared-exactly']) {
      expect((await stored(`/data/${name}`)).equals(content)).toBe(true);
    }
    expect(await blobsOf('source', 'shared-all', 'shared-exactly')).toHaveLength(2);
  });

  it('copies a range to an offset, and tells when the source ends before it', async () => {
    const { client } = fixture;
    const handle = await fixture.open('/data/source', read);
    const targetHandle = await fixture.open('/data/part', write | create | truncate);
    const copy = { type: 'copy-data', id: 2, handle, targetHandle } as const;
    expect(await client.ask({ ...copy, offset: 100, length: 1_500_000, targetOffset: 5 })).toMatchObject({ code: 0 });
    expect(await client.ask({ ...copy, offset: 2_499_990, length: 20, targetOffset: 1_500_005 })).toMatchObject({
      code: 1,
    });
    await client.ask({ type: 'close', id: 3, handle: targetHandle });
    const expected = Buffer.concat([Buffer.alloc(5), content.subarray(100, 1_500_100), content.subarray(2_499_990)]);
    expect((await stored('/data/part')).equals(expected)).toBe(true);
  });

  it('refuses a target that is not written, a source that is not read, and a file into itself', async () => {
    const { client } = fixture;
    const reading = await fixture.open('/data/source', read);
    const writing = await fixture.open('/data/refused', write | create | truncate);
    const both = await fixture.open('/data/refused-too', read | write | create | truncate);
    const pairs = [
      [reading, reading],
      [writing, both],
      [both, both],
    ] as const;
    for (const [handle, targetHandle] of pairs) {
      const copy = { offset: 0, length: 0, targetOffset: 0, handle, targetHandle };
      expect(await client.ask({ type: 'copy-data', id: 2, ...copy })).toMatchObject({ code: 4 });
    }
  });

  it('refuses a file into itself through another handle, which would never end', async () => {
    const { client } = fixture;
    const target = await fixture.open('/data/endless', read | write | create | truncate);
    await client.ask({ type: 'write', id: 2, handle: target, offset: 0, data: Buffer.from('begun') });
    for (const flags of [read, read | write]) {
      const handle = await fixture.open('/data/endless', flags);
      const copy = { type: 'copy-data', handle, targetHandle: target, offset: 0, targetOffset: 5 } as const;
      for (const length of [0, 3, 1e12]) {
        expect(await client.ask({ ...copy, id: 3, length })).toMatchObject({ code: 4 });
      }
    }
  });

  it('ends where the source ended when it began, also while the two are copied into each other', async () => {
    const { client } = fixture;
    const names = ['/data/one', '/data/other'];
    const [one, other] = await Promise.all(names.map((name) => fixture.open(name, read | write | create | truncate)));
    if (!one || !other) throw new Error('not open');
    for (const handle of [one, other]) {
      await client.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.alloc(1_000, 1) });
    }
    const copies = Array.from({ length: 8 }, (_, index) => {
      const [handle, targetHandle] = index % 2 === 0 ? [one, other] : [other, one];
      const range = { offset: 0, length: index < 4 ? 0 : 1e12, targetOffset: 1_000 };
      return encodeRequest({ type: 'copy-data', id: index, handle, targetHandle, ...range });
    });
    client.sendBytes(Buffer.concat(copies));
    const codes = [];
    for (const _ of copies) codes.push(await client.receive());
    expect(codes.map((status) => 'code' in status && status.code)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });
});
