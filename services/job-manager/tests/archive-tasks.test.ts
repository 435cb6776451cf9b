import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import type { TaskName } from '@waybill/contracts/configuration/workflow-step';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';
import { hostileNames, makeTar } from './made-archives.ts';

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

describe('untar', () => {
  it.each(hostileNames)('refuses %s before it writes anything', async (_what, name) => {
    const archive = await makeTar([
      { name: 'good', data: 'good' },
      { name, data: 'evil' },
    ]);
    await expect(unpack('untar', archive)).rejects.toEqual(refusal(/refused/u));
    expect(await filesBelow()).toBe(0);
  });

  it.each(['symlink', 'link', 'fifo', 'character-device'] as const)('refuses a %s', async (type) => {
    const archive = await makeTar([
      { name: 'good', data: 'good' },
      { name: 'evil', type },
    ]);
    await expect(unpack('untar', archive)).rejects.toEqual(refusal(/link or a device/u));
    expect(await filesBelow()).toBe(0);
  });

  it('refuses what is damaged, cut off or too large', async () => {
    const archive = await makeTar([
      { name: 'a', data: 'x'.repeat(10_000) },
      { name: 'b', data: 'b' },
    ]);
    await expect(unpack('untar', archive.subarray(0, 5_000))).rejects.toEqual(refusal(/refused/u));
    const damaged = Buffer.from(archive);
    damaged.write('evil', 0);
    await expect(unpack('untar', damaged)).rejects.toEqual(refusal(/refused/u));
    await expect(unpack('untar', text('no archive'.repeat(100)))).rejects.toEqual(refusal(/refused/u));
    await expect(unpack('untar', Buffer.alloc(0))).rejects.toEqual(refusal(/empty/u));
    await expect(unpack('untar', archive, { bytesAtMost: 10_000 })).rejects.toEqual(refusal(/more than 10000 bytes/u));
    await expect(unpack('untar', archive, { entriesAtMost: 1 })).rejects.toEqual(refusal(/more than 1 entries/u));
    const bomb = gzipSync(await makeTar([{ name: 'zeros', data: '\0'.repeat(20_000_000) }]));
    await expect(unpack('untar', bomb)).rejects.toEqual(refusal(/200 times/u));
    expect(await filesBelow()).toBe(0);
    await expect(unpack('untar', await makeTar([{ name: 'a' }, { name: './a' }]))).rejects.toEqual(refusal(/twice/u));
  });

  it.each(['plain', 'gzip'])('unpacks what tar has packed: %s', async (form) => {
    const archive = await makeTar([
      { name: './', type: 'directory' },
      { name: './a/', type: 'directory' },
      { name: './a/grün', data: 'deep' },
      { name: 'b', data: '' },
    ]);
    const outputs = await unpack('untar', form === 'gzip' ? gzipSync(archive) : archive);
    expect(outputs).toMatchObject({ count: '2', size: '4', paths: ['/outbox/a/grün', '/outbox/b'] });
    expect(await rig.read('/outbox/a/grün')).toBe('deep');
  });
});

describe('gunzip', () => {
  const gunzip = async (bytes: Buffer, limits: Readonly<Record<string, unknown>> = {}) => {
    await rig.deliver('/inbox/a.gz', bytes);
    return rig.run('gunzip', { source: '/inbox/a.gz', target: '/outbox/a', ...limits });
  };

  it('decompresses one or more members', async () => {
    await gunzip(Buffer.concat([gzipSync('one '), gzipSync('two')]));
    expect(await rig.read('/outbox/a')).toBe('one two');
    await gunzip(gzipSync(''));
    expect(await rig.read('/outbox/a')).toBe('');
  });

  it('refuses what is damaged, cut off or too large, and writes no file', async () => {
    const whole = gzipSync('x'.repeat(100_000));
    const damaged = Buffer.from(whole);
    damaged.writeUInt32LE(1, damaged.length - 8);
    for (const bytes of [damaged, whole.subarray(0, -9), whole.subarray(0, 5), text('no gzip'), Buffer.alloc(0)]) {
      await expect(gunzip(bytes)).rejects.toEqual(refusal(/refused/u));
    }
    await expect(gunzip(whole, { bytesAtMost: 99_999 })).rejects.toEqual(refusal(/more than 99999 bytes/u));
    await expect(gunzip(gzipSync(Buffer.alloc(20_000_000)))).rejects.toEqual(refusal(/200 times/u));
    expect(await rig.read('/outbox/a')).toBeUndefined();
  });
});

describe('zip and tar', () => {
  const sources = ['/inbox/a.csv', '/inbox/grün.csv'];
  beforeEach(async () => {
    await rig.deliver('/inbox/a.csv', 'a'.repeat(100_000));
    await rig.deliver('/inbox/grün.csv', '');
  });

  it.each([
    ['zip', 'unzip', {}],
    ['zip', 'unzip', { compress: false }],
    ['tar', 'untar', {}],
    ['tar', 'untar', { compression: 'gzip' }],
  ] as const)('%s packs what %s unpacks: %j', async (packing, unpacking, options) => {
    expect(await rig.run(packing, { sources, target: '/inbox/archive', ...options })).toMatchObject({ count: '2' });
    expect(await rig.run(unpacking, { source: '/inbox/archive', folder: '/outbox' })).toMatchObject({ count: '2' });
    expect(await rig.read('/outbox/a.csv')).toBe('a'.repeat(100_000));
    expect(await rig.read('/outbox/grün.csv')).toBe('');
  });

  it.each(['zip', 'tar'] as const)('names files below a base, and refuses others: %s', async (uses) => {
    const given = { sources, target: '/outbox/archive' };
    await rig.run(uses, { ...given, base: '/' });
    const unpacking = uses === 'zip' ? 'unzip' : 'untar';
    expect(await rig.run(unpacking, { source: '/outbox/archive', folder: '/outbox' })).toMatchObject({
      paths: ['/outbox/inbox/a.csv', '/outbox/inbox/grün.csv'],
    });
    await expect(rig.run(uses, { ...given, base: '/outbox' })).rejects.toMatchObject({ code: 'validation_failed' });
    const twice = [...sources, 'acme-files:/inbox/a.csv'];
    await expect(rig.run(uses, { ...given, sources: twice })).rejects.toMatchObject({ code: 'validation_failed' });
    const absent = [...sources, '/inbox/absent'];
    await expect(rig.run(uses, { ...given, sources: absent })).rejects.toMatchObject({ code: 'file_not_found' });
  });

  it('make archives that other programs read', async () => {
    await rig.run('tar', { sources: ['/inbox/a.csv'], target: '/outbox/a.tar' });
    const input = await rig.read('/outbox/a.tar');
    const listed = spawnSync('tar', ['-tf', '-'], { input });
    expect(listed.stdout.toString()).toBe('a.csv\n');
  });
});
