import { parseFilePlace } from '@waybill/contracts/tasks/file-place';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobFiles } from '../src/domain/workflows/task.ts';
import { configurationWith, type FileTaskRig, grants, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await query(`DELETE FROM filebox.entries WHERE kind = 'file' OR name = 'new'`);
  await query('DELETE FROM outbox.events');
});

const query = (sql: string, ...values: unknown[]) => rig.platform.database.query(sql, values);
const eventCount = async () => (await query('SELECT FROM outbox.events')).length;
const [here, moved, there] = ['/inbox/a.csv', '/outbox/b.csv', 'globex-files:/inbox/b.csv'].map(parseFilePlace);
const source = existing(here);

interface Change {
  readonly what: string;
  readonly make: (files: JobFiles) => Promise<unknown>;
  /** What is seen of it: the file at the source, that at the target, or the metadata. */
  readonly seen: () => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
}

const both = async () => [await rig.read('/inbox/a.csv'), await rig.read('/outbox/b.csv')];
const across = async () => [await rig.read('/inbox/a.csv'), await rig.read('/inbox/b.csv', rig.globexId)];
const isFolder = async () =>
  (await rig.platform.filebox.find(rig.platform.vfsId, parseVirtualPath('/outbox/new')))?.kind === 'folder';
const metadata = async () => {
  const entry = await rig.platform.filebox.find(rig.platform.vfsId, parseVirtualPath('/inbox/a.csv'));
  return entry?.kind === 'file' ? entry.metadata : undefined;
};

const changes: Change[] = [
  {
    what: 'a copy',
    make: (f) => f.copy(source, existing(moved)),
    seen: both,
    before: ['a', undefined],
    after: ['a', 'a'],
  },
  {
    what: 'a copy into another VFS',
    make: (f) => f.copy(source, existing(there)),
    seen: across,
    before: ['a', undefined],
    after: ['a', 'a'],
  },
  {
    what: 'a move',
    make: (f) => f.move(source, existing(moved)),
    seen: both,
    before: ['a', undefined],
    after: [undefined, 'a'],
  },
  {
    what: 'a move into another VFS',
    make: (f) => f.move(source, existing(there)),
    seen: across,
    before: ['a', undefined],
    after: [undefined, 'a'],
  },
  {
    what: 'a deletion',
    make: (f) => f.remove(source),
    seen: both,
    before: ['a', undefined],
    after: [undefined, undefined],
  },
  {
    what: 'a new folder',
    make: (f) => f.createFolder(parseFilePlace('/outbox/new')),
    seen: isFolder,
    before: false,
    after: true,
  },
  {
    what: 'metadata',
    make: (f) => f.setMetadata(source, { key: 'value' }),
    seen: metadata,
    before: {},
    after: { key: 'value' },
  },
];

describe.each(changes)('$what of a step', ({ make, seen, before, after }) => {
  beforeEach(() => rig.deliver('/inbox/a.csv', 'a'));

  it('happens once: a repeated attempt gets the first result', async () => {
    const claimed = await rig.claimNew();
    expect(await seen()).toEqual(before);
    const result = await make(rig.filesOf(claimed));
    expect(await seen()).toEqual(after);
    const events = await eventCount();
    const second = await rig.takeOver(claimed);
    expect(await make(rig.filesOf(second, 2))).toEqual(result);
    expect([await seen(), await eventCount()]).toEqual([after, events]);
  });

  it('changes nothing if the lease was lost before', async () => {
    const claimed = await rig.claimNew();
    await rig.takeOver(claimed);
    const events = await eventCount();
    await expect(make(rig.filesOf(claimed))).rejects.toMatchObject({ name: 'Interruption', why: 'lost' });
    expect([await seen(), await eventCount()]).toEqual([before, events]);
    expect(await query('SELECT FROM jobs.effects WHERE job_id = $1', claimed.job.id)).toEqual([]);
  });

  it('is undone if its effect cannot be noted', async () => {
    const claimed = await rig.claimNew();
    const events = await eventCount();
    await query(`ALTER TABLE jobs.effects ADD CONSTRAINT broken CHECK (fileset < 0) NOT VALID`);
    try {
      await expect(make(rig.filesOf(claimed))).rejects.toThrow(/broken/u);
    } finally {
      await query('ALTER TABLE jobs.effects DROP CONSTRAINT broken');
    }
    expect([await seen(), await eventCount()]).toEqual([before, events]);
  });
});

describe('a move between two VFSs', () => {
  it('goes on after its worker was lost between the copy and the deletion', async () => {
    await rig.deliver('/inbox/a.csv', 'a');
    const claimed = await rig.claimNew();
    await rig.filesOf(claimed).copy(source, existing(there));
    await rig.filesOf(await rig.takeOver(claimed), 2).move(source, existing(there));
    expect(await across()).toEqual([undefined, 'a']);
  });

  it('leaves a newer file at the source', async () => {
    await rig.deliver('/inbox/a.csv', 'a');
    const claimed = await rig.claimNew();
    await rig.filesOf(claimed).copy(source, existing(there));
    await rig.deliver('/inbox/a.csv', 'newer');
    await rig.filesOf(await rig.takeOver(claimed), 2).move(source, existing(there));
    expect(await across()).toEqual(['newer', 'a']);
  });
});

describe('another VFS', () => {
  const refusal = (code: string): unknown => expect.objectContaining({ name: 'CodedError', code });
  const place = (text: string) => parseFilePlace(text);

  it('is reached with the granted rights alone, below the granted folder', async () => {
    await rig.deliver('/readable/a', 'a', rig.globexId);
    await rig.deliver('/secret/a', 'secret', rig.globexId);
    const files = rig.filesOf(await rig.claimNew());
    await using file = await files.open(place('globex-files:/readable/a'));
    expect(file.size).toBe(1);
    await expect(files.remove(place('globex-files:/readable/a'))).rejects.toEqual(refusal('no_delete_permission'));
    await expect(files.copy(source, place('globex-files:/readable/b'))).rejects.toEqual(refusal('no_write_permission'));
    await expect(files.open(place('globex-files:/secret/a'))).rejects.toEqual(refusal('no_read_permission'));
    await expect(files.find(place('globex-files:/secret'))).rejects.toEqual(refusal('no_list_permission'));
    await expect(files.find(place('globex-files:/'))).rejects.toEqual(refusal('no_list_permission'));
    await expect(files.open(place('unknown-files:/a'))).rejects.toEqual(refusal('no_read_permission'));
    await expect(files.move(place('globex-files:/readable/a'), source)).rejects.toEqual(
      refusal('no_delete_permission'),
    );
    expect(await rig.read('/readable/a', rig.globexId)).toBe('a');
  });

  it('is no longer reached by a job that is older than the withdrawal of the grant', async () => {
    await rig.deliver('/readable/a', 'a', rig.globexId);
    const files = rig.filesOf(await rig.claimNew());
    await rig.platform.apply(configurationWith([]));
    try {
      await expect(files.open(place('globex-files:/readable/a'))).rejects.toEqual(refusal('no_read_permission'));
    } finally {
      await rig.platform.apply(configurationWith(grants));
    }
  });

  it('is not entered by the name of the own one, which needs no grant', async () => {
    await rig.deliver('/inbox/a.csv', 'a');
    const files = rig.filesOf(await rig.claimNew());
    expect(await files.find(place('acme-files:/inbox/a.csv'))).toMatchObject({ kind: 'file', size: 1 });
  });
});
