import type { TaskName } from '@waybill/contracts/configuration/workflow-step';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';
import { hostileNames, makeZip } from './made-archives.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await query('DELETE FROM filebox.entries WHERE kind = $1', 'file');
  for (const _depth of [1, 2, 3]) {
    await query(
      `DELETE FROM filebox.entries e USING filebox.entries p WHERE e.parent_id = p.id AND p.parent_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM filebox.entries b WHERE b.parent_id = e.id)`,
    );
  }
});

const query = (sql: string, ...values: unknown[]) => rig.platform.database.query(sql, values);
const refusal = (detail: RegExp): unknown =>
  expect.objectContaining({ code: 'job_step_failed', message: expect.stringMatching(detail) });
const filesBelow = async () => (await query(`SELECT FROM filebox.entries WHERE kind = 'file'`)).length - 1;
const text = (value: string) => Buffer.from(value);

async function unpack(uses: TaskName, archive: Buffer, limits: Readonly<Record<string, unknown>> = {}) {
  await rig.deliver('/inbox/archive', archive);
  return rig.run(uses, { source: '/inbox/archive', folder: '/outbox', ...limits });
}

describe('unzip', () => {
  it.each(hostileNames)('refuses %s before it writes anything', async (_what, name) => {
    const archive = makeZip([
      { name: 'good', data: text('good') },
      { name, data: text('evil') },
    ]);
    await expect(unpack('unzip', archive)).rejects.toEqual(refusal(/refused/u));
    expect(await filesBelow()).toBe(0);
  });

  it.each([
    ['a link', makeZip([{ name: 'a', data: text('/etc/passwd'), mode: 0o120777 }]), /link or a device/u],
    ['a device', makeZip([{ name: 'a', mode: 0o060644 }]), /link or a device/u],
    ['an encrypted file', makeZip([{ name: 'a', data: text('x'), flags: 0x0801 }]), /encrypted/u],
    ['another method', makeZip([{ name: 'a', data: text('x'), method: 12 }]), /method 12/u],
    [
      'a name twice',
      makeZip([
        { name: 'a', data: text('1') },
        { name: 'a', data: text('2') },
      ]),
      /occurs twice/u,
    ],
    [
      'a name twice, in two normal forms',
      makeZip([
        { name: '\u00e9', data: text('1') },
        { name: 'e\u0301', data: text('2') },
      ]),
      /occurs twice/u,
    ],
    [
      'a file that is a folder too',
      makeZip([
        { name: 'a', data: text('1') },
        { name: 'a/b', data: text('2') },
      ]),
      /below a file|occurs/u,
    ],
    [
      'a folder that is a file too',
      makeZip([
        { name: 'a/b', data: text('1') },
        { name: 'a', data: text('2') },
      ]),
      /occurs twice/u,
    ],
    [
      'overlapping entries',
      makeZip([
        { name: 'a', data: Buffer.alloc(100_000) },
        { name: 'b', data: Buffer.alloc(100_000), lies: { offset: 0 } },
      ]),
      /overlap/u,
    ],
    ['something else', text('this is no archive at all, but long enough to be one'), /refused/u],
    ['nothing', Buffer.alloc(0), /refused/u],
    ['an archive that is cut off', makeZip([{ name: 'a', data: text('abc') }]).subarray(0, 40), /refused/u],
    ['a wrong checksum', makeZip([{ name: 'a', data: text('abc'), lies: { crc: 1 } }]), /checksum/u],
    [
      'more bytes than announced',
      makeZip([{ name: 'a', data: Buffer.alloc(1_000_000), lies: { size: 10 } }]),
      /refused/u,
    ],
    ['fewer bytes than announced', makeZip([{ name: 'a', data: text('abc'), lies: { size: 10 } }]), /refused/u],
  ])('refuses %s, and leaves no file of it', async (_what, archive, reason) => {
    await expect(unpack('unzip', archive)).rejects.toEqual(refusal(reason));
    expect(await filesBelow()).toBe(0);
  });

  it('refuses a bomb by the sizes that it announces, or unpacks to', async () => {
    const bomb = makeZip([{ name: 'zeros', data: Buffer.alloc(20_000_000) }]);
    await expect(unpack('unzip', bomb)).rejects.toEqual(refusal(/200 times/u));
    await expect(unpack('unzip', bomb, { ratioAtMost: 1_000_000, bytesAtMost: 19_999_999 })).rejects.toEqual(
      refusal(/more than 19999999 bytes/u),
    );
    const many = makeZip(Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` })));
    await expect(unpack('unzip', many, { entriesAtMost: 10 })).rejects.toEqual(refusal(/more than 10 entries/u));
    expect(await filesBelow()).toBe(0);
    expect(await unpack('unzip', bomb, { ratioAtMost: 1_000_000 })).toMatchObject({ count: '1', size: '20000000' });
  });

  it('writes folders and files with any name', async () => {
    const archive = makeZip([
      { name: 'empty/', mode: 0o040755 },
      { name: 'a/b/grün 🚚.txt', data: text('deep') },
      { name: 'a/c', data: text('stored'), method: 0, mode: 0 },
    ]);
    expect(await unpack('unzip', archive)).toEqual({
      count: '2',
      size: '10',
      paths: ['/outbox/a/b/grün 🚚.txt', '/outbox/a/c'],
    });
    expect(await rig.read('/outbox/a/b/grün 🚚.txt')).toBe('deep');
    expect(await rig.run('exists', { path: '/outbox/empty' })).toMatchObject({ kind: 'folder' });
    expect(await unpack('unzip', makeZip([]))).toMatchObject({ count: '0' });
  });

  it('stays below a granted folder of another VFS', async () => {
    await rig.deliver('/inbox/archive', makeZip([{ name: 'a/b', data: text('b') }]));
    await rig.run('unzip', { source: '/inbox/archive', folder: 'globex-files:/inbox' });
    expect(await rig.read('/inbox/a/b', rig.globexId)).toBe('b');
    const refused = rig.run('unzip', { source: '/inbox/archive', folder: 'globex-files:/readable' });
    await expect(refused).rejects.toMatchObject({ code: 'no_write_permission' });
  });

  it('goes on where the worker was killed', async () => {
    await rig.deliver('/inbox/archive', makeZip(['a', 'x/b', 'c'].map((name) => ({ name, data: text(name) }))));
    const given = { source: '/inbox/archive', folder: '/outbox' };
    const claimed = await rig.claimNew();
    let writes = 0;
    const killed = rig.run('unzip', given, {
      claimed,
      files: (files) => ({
        ...files,
        write: (...written) => {
          writes += 1;
          return writes === 3 ? Promise.reject(new Error('killed')) : files.write(...written);
        },
      }),
    });
    await expect(killed).rejects.toThrow('killed');
    const again = { claimed: await rig.takeOver(claimed), attempt: 2 };
    const before = await query('SELECT FROM outbox.events');
    expect(await rig.run('unzip', given, again)).toMatchObject({ count: '3', size: '5' });
    expect((await query('SELECT FROM outbox.events')).length - before.length).toBe(1);
    expect(await rig.read('/outbox/c')).toBe('c');
  });
});
