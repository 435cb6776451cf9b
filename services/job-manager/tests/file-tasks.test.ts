import { createHash } from 'node:crypto';
import type { TaskName } from '@waybill/contracts/configuration/workflow-step';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
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

interface Case {
  readonly uses: TaskName;
  readonly with: Readonly<Record<string, unknown>>;
  /** With a source in a VFS whose right is missing. */
  readonly forbidden: Readonly<Record<string, unknown>>;
}

const secret = 'globex-files:/secret/a';
const cases: Case[] = [
  {
    uses: 'copy',
    with: { source: '/inbox/a', target: '/outbox/b' },
    forbidden: { source: secret, target: '/outbox/b' },
  },
  {
    uses: 'move',
    with: { source: '/inbox/a', target: '/outbox/b' },
    forbidden: { source: secret, target: '/outbox/b' },
  },
  { uses: 'rename', with: { path: '/inbox/a', name: 'b' }, forbidden: { path: secret, name: 'b' } },
  { uses: 'delete', with: { path: '/inbox/a' }, forbidden: { path: secret } },
  {
    uses: 'deliver',
    with: { source: '/inbox/a', folder: 'globex-files:/inbox' },
    forbidden: { source: '/inbox/a', folder: 'globex-files:/secret' },
  },
  {
    uses: 'set-metadata',
    with: { path: '/inbox/a', metadata: { key: 'v' } },
    forbidden: { path: secret, metadata: { key: 'v' } },
  },
  {
    uses: 'merge',
    with: { sources: ['/inbox/a', '/inbox/a'], target: '/outbox/b' },
    forbidden: { sources: [secret], target: '/outbox/b' },
  },
  {
    uses: 'split-lines',
    with: { source: '/inbox/a', folder: '/outbox', linesPerFile: 100_000 },
    forbidden: { source: secret, folder: '/outbox', linesPerFile: 1 },
  },
  { uses: 'checksum', with: { source: '/inbox/a', writeTo: '/outbox/a.sha256' }, forbidden: { source: secret } },
  { uses: 'read-text', with: { source: '/inbox/a', maxBytes: 262_144 }, forbidden: { source: secret } },
  {
    uses: 'convert-charset',
    with: { source: '/inbox/a', target: '/outbox/b', from: 'utf-8' },
    forbidden: { source: secret, target: '/outbox/b', from: 'utf-8' },
  },
  {
    uses: 'line-ends',
    with: { source: '/inbox/a', target: '/outbox/b' },
    forbidden: { source: secret, target: '/outbox/b' },
  },
  {
    uses: 'zip',
    with: { sources: ['/inbox/a'], target: '/outbox/b' },
    forbidden: { sources: [secret], target: '/outbox/b' },
  },
  {
    uses: 'tar',
    with: { sources: ['/inbox/a'], target: '/outbox/b', compression: 'gzip' },
    forbidden: { sources: [secret], target: '/outbox/b' },
  },
  {
    uses: 'gzip',
    with: { source: '/inbox/a', target: '/outbox/b' },
    forbidden: { source: secret, target: '/outbox/b' },
  },
];

const eventCount = async () => (await query('SELECT FROM outbox.events')).length;

describe.each(cases)('the task $uses', ({ uses, with: given, forbidden }) => {
  it('takes a file without bytes', async () => {
    await rig.deliver('/inbox/a', '');
    expect(await rig.run(uses, given)).toBeTypeOf('object');
  });

  it('takes a big file', async () => {
    await rig.deliver('/inbox/a', uses === 'read-text' ? big.slice(0, 200_000) : big);
    expect(await rig.run(uses, given)).toBeTypeOf('object');
  });

  it('fails if its file is missing, and changes nothing', async () => {
    const claimed = await rig.claimNew();
    const before = await eventCount();
    await expect(rig.run(uses, given, { claimed })).rejects.toEqual(code('file_not_found'));
    expect(await eventCount()).toBe(before);
  });

  it('fails without the right', async () => {
    await rig.deliver('/inbox/a', 'a');
    await rig.deliver('/secret/a', 'a', rig.globexId);
    await expect(rig.run(uses, forbidden)).rejects.toEqual(
      expect.objectContaining({ code: expect.stringMatching(/^no_(?:list|read|write|delete)_permission$/u) }),
    );
  });

  it('changes nothing after it was cancelled', async () => {
    await rig.deliver('/inbox/a', 'a\n'.repeat(100));
    const claimed = await rig.claimNew();
    const before = await eventCount();
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(rig.run(uses, given, { claimed, signal })).rejects.toThrow(/cancelled|abort/u);
    expect(await eventCount()).toBe(before);
  });

  it('changes nothing a second time when its worker was killed after the effect', async () => {
    await rig.deliver('/inbox/a', 'a');
    const claimed = await rig.claimNew();
    const first = await rig.run(uses, given, { claimed });
    const before = await eventCount();
    const second = await rig.run(uses, given, { claimed: await rig.takeOver(claimed), attempt: 2 });
    const { receipt: _one, ...outputs } = first;
    expect(second).toMatchObject(outputs);
    expect(await eventCount()).toBe(before);
  });
});

describe('the tasks that put a file somewhere', () => {
  it.each(['copy', 'move'] as const)('replace a file there, or fail: %s', async (uses) => {
    const given = { source: '/inbox/a', target: 'globex-files:/inbox/a' };
    await rig.deliver('/inbox/a', 'new');
    await rig.deliver('/inbox/a', 'old', rig.globexId);
    await expect(rig.run(uses, { ...given, ifExists: 'fail' })).rejects.toEqual(code('already_exists'));
    expect([await rig.read('/inbox/a'), await rig.read('/inbox/a', rig.globexId)]).toEqual(['new', 'old']);
    await rig.run(uses, given);
    expect(await rig.read('/inbox/a', rig.globexId)).toBe('new');
  });

  it('refuse names that are no names', async () => {
    await rig.deliver('/inbox/a', 'a');
    for (const name of ['../b', 'x/y', '', '.', '..', 'a\0b']) {
      await expect(rig.run('rename', { path: '/inbox/a', name })).rejects.toThrow(/name|path/u);
    }
    expect(await rig.read('/inbox/a')).toBe('a');
  });

  it('hand a file over so that it starts what a file of a partner starts, with a receipt', async () => {
    await rig.deliver('/inbox/a', 'abc');
    const transferred = async () =>
      (
        await query(
          `SELECT payload FROM outbox.events WHERE topic = 'file-event' AND payload ->> 'vfsId' = $1`,
          rig.globexId,
        )
      ).map(({ payload }) => payload);
    await query('DELETE FROM outbox.events');
    await rig.run('copy', { source: '/inbox/a', target: 'globex-files:/inbox/copied' });
    expect(await transferred()).toMatchObject([{ path: '/inbox/copied', byTransfer: false, chainDepth: 1 }]);
    await query('DELETE FROM outbox.events');
    const given = { source: '/inbox/a', folder: 'globex-files:/inbox', name: 'b', receipt: '/outbox/receipt.json' };
    const outputs = await rig.run('deliver', given);
    const sha256 = createHash('sha256').update('abc').digest('hex');
    expect(outputs).toMatchObject({ path: 'globex-files:/inbox/b', size: '3', sha256 });
    expect(await rig.read('/inbox/b', rig.globexId)).toBe('abc');
    expect(await transferred()).toMatchObject([{ path: '/inbox/b', byTransfer: true, chainDepth: 1 }]);
    const receipt: unknown = JSON.parse((await rig.read('/outbox/receipt.json')) ?? '');
    expect(receipt).toMatchObject({ source: '/inbox/a', deliveredTo: 'globex-files:/inbox/b', size: '3', sha256 });
  });
});

it('the task set-metadata adds keys', async () => {
  await rig.deliver('/inbox/a', 'a');
  await rig.run('set-metadata', { path: '/inbox/a', metadata: { one: '1', two: '2' } });
  const entry = await rig.platform.filebox.find(rig.platform.vfsId, parseVirtualPath('/inbox/a'));
  expect(entry).toMatchObject({ metadata: { one: '1', two: '2' } });
  const refused = { path: '/inbox/a', metadata: { 'SPFB_SP2_FILE_SYS_MD.FILE_LENGTH': '1' } };
  await expect(rig.run('set-metadata', refused)).rejects.toEqual(code('metadata_key_refused'));
});
