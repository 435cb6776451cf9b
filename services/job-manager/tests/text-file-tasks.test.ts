import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await query(
    `DELETE FROM filebox.entries WHERE kind = 'file' OR name IN ('new', 'deep', 'folder') OR name LIKE 'bulk%'`,
  );
});

const query = (sql: string, ...values: unknown[]) => rig.platform.database.query(sql, values);
const code = (name: string): unknown => expect.objectContaining({ code: name });
const big = Array.from({ length: 200_000 }, (_, line) => `line ${line}`).join('\n');
const eventCount = async () => (await query('SELECT FROM outbox.events')).length;

describe('the task checksum', () => {
  const sum = createHash('sha256').update('abc').digest('hex');
  const check = (given: Readonly<Record<string, unknown>>) => rig.run('checksum', { source: '/inbox/a', ...given });
  beforeEach(() => rig.deliver('/inbox/a', 'abc'));

  it('compares with an expected one', async () => {
    expect(await check({ expected: sum.toUpperCase() })).toMatchObject({ checksum: sum, verified: true });
    await expect(check({ expected: '0'.repeat(64) })).rejects.toEqual(code('checksum_mismatch'));
    expect(await check({})).toMatchObject({ verified: false });
  });

  it.each([
    ['coreutils', `${'0'.repeat(64)}  other\n${sum}  a\n`],
    ['coreutils, binary, with a path', `${sum} *./x/a\r\n`],
    ['BSD', `SHA256 (a) = ${sum}\n`],
    ['the sum alone', sum],
    ['one line of another name', `${sum}  before-renaming`],
  ])('compares with a file: %s', async (_form, text) => {
    await rig.deliver('/inbox/a.sha256', text);
    expect(await check({ compareWith: '/inbox/a.sha256' })).toMatchObject({ verified: true });
  });

  it.each(['', 'not a checksum', `${'0'.repeat(64)}  a`, `${sum}  b\n${sum}  c`, `${sum}a\n`])(
    'refuses a file without its checksum: %j',
    async (text) => {
      await rig.deliver('/inbox/a.sha256', text);
      await expect(check({ compareWith: '/inbox/a.sha256' })).rejects.toEqual(code('checksum_mismatch'));
    },
  );

  it('writes one that it accepts', async () => {
    await check({ writeTo: '/inbox/a.sha256' });
    expect(await rig.read('/inbox/a.sha256')).toBe(`${sum}  a\n`);
    expect(await check({ compareWith: '/inbox/a.sha256' })).toMatchObject({ verified: true });
    await rig.deliver('/inbox/huge', 'x'.repeat(70_000));
    await expect(check({ compareWith: '/inbox/huge' })).rejects.toEqual(code('job_step_failed'));
  });
});

describe('the tasks for lines', () => {
  it('divide a file and merge it again', async () => {
    const text = `header\n${big}`;
    await rig.deliver('/inbox/a.csv', text);
    const split = { source: '/inbox/a.csv', folder: '/outbox', linesPerFile: 60_000, headerLines: 1 };
    const outputs = await rig.run('split-lines', split);
    expect(outputs).toMatchObject({ count: '4', paths: [1, 2, 3, 4].map((n) => `/outbox/a-000${n}.csv`) });
    expect((await rig.read('/outbox/a-0002.csv'))?.slice(0, 20)).toBe('header\nline 60000\nli');
    const merge = { sources: JSON.stringify(outputs['paths']), target: '/outbox/b', skipFirstLines: 1 };
    expect(await rig.run('merge', merge)).toMatchObject({ count: '4' });
    expect(await rig.read('/outbox/b')).toBe(text);
  });

  it('go on where the worker was killed', async () => {
    await rig.deliver('/inbox/a.csv', '1\n2\n3\n4\n5');
    const split = { source: '/inbox/a.csv', folder: '/outbox', linesPerFile: 2, filesAtMost: 9, name: '#.txt' };
    const claimed = await rig.claimNew();
    let writes = 0;
    const killed = rig.run('split-lines', split, {
      claimed,
      files: (files) => ({
        ...files,
        write: (...given) => {
          writes += 1;
          return writes === 2 ? Promise.reject(new Error('killed')) : files.write(...given);
        },
      }),
    });
    await expect(killed).rejects.toThrow('killed');
    const before = await eventCount();
    const again = { claimed: await rig.takeOver(claimed), attempt: 2 };
    expect(await rig.run('split-lines', split, again)).toMatchObject({ count: '3' });
    const parts = await Promise.all([1, 2, 3].map((n) => rig.read(`/outbox/${n}.txt`)));
    expect(parts).toEqual(['1\n2\n', '3\n4\n', '5']);
    expect((await eventCount()) - before).toBe(2);
  });

  it('are bounded', async () => {
    await rig.deliver('/inbox/a', '\n'.repeat(11));
    const split = { source: '/inbox/a', folder: '/outbox', linesPerFile: 1, filesAtMost: 10 };
    await expect(rig.run('split-lines', split)).rejects.toEqual(code('job_step_failed'));
    await rig.deliver('/inbox/a', 'x'.repeat(2_000_000));
    await expect(rig.run('split-lines', { ...split, headerLines: 1 })).rejects.toEqual(code('job_step_failed'));
  });

  it('end the last line of each file', async () => {
    await rig.deliver('/inbox/a', 'a');
    await rig.deliver('/inbox/b', 'b\n');
    await rig.run('merge', { sources: ['/inbox/a', '/inbox/b', '/inbox/a'], target: '/outbox/c', endLines: true });
    expect(await rig.read('/outbox/c')).toBe('a\nb\na\n');
  });
});

describe('the task read-text', () => {
  it('decodes the text', async () => {
    await rig.deliver('/inbox/a', Buffer.from('\uFEFFgrün'));
    expect(await rig.run('read-text', { source: '/inbox/a' })).toEqual({ text: 'grün', size: '8' });
    await rig.deliver('/inbox/a', Buffer.from('grün', 'latin1'));
    expect(await rig.run('read-text', { source: '/inbox/a', charset: 'latin1' })).toMatchObject({ text: 'grün' });
    await expect(rig.run('read-text', { source: '/inbox/a' })).rejects.toEqual(code('job_step_failed'));
  });

  it.each(['x'.repeat(101), 'a\0b'])('refuses what no output can hold', async (text) => {
    await rig.deliver('/inbox/a', text);
    await expect(rig.run('read-text', { source: '/inbox/a', maxBytes: 100 })).rejects.toEqual(code('job_step_failed'));
  });
});
