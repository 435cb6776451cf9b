import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { countDeadlocks } from './count-deadlocks.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const at = parseVirtualPath;
const origin = { origin: acme };

async function openWith(...folders: string[]) {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, folders.map(at));
  return box;
}

/** The error codes of refused calls; `done` for the others. An error that is not a refusal fails the test. */
async function outcomes(work: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((result) => {
    if (result.status === 'fulfilled') return 'done';
    if (!isCodedError(result.reason)) throw result.reason;
    return result.reason.code;
  });
}

/** The counts equal those of the rows, and the blobs on disk are those of the files. */
async function expectConsistent({ db, filebox, heldBlobs }: TestFilebox): Promise<void> {
  const { rows } = await db.raw(
    `SELECT p.id FROM filebox.entries p
     WHERE p.kind = 'folder' AND (
       (SELECT count(*) FROM filebox.entries c WHERE c.parent_id = p.id AND c.kind = 'file'),
       (SELECT count(*) FROM filebox.entries c WHERE c.parent_id = p.id AND c.kind = 'folder')
     ) <> (
       SELECT COALESCE(sum(files), 0), COALESCE(sum(folders), 0) FROM filebox.folder_counts WHERE folder_id = p.id
     )`,
  );
  expect(rows).toEqual([]);
  expect(
    await db('filebox.folder_counts').whereNotIn('folder_id', db('filebox.entries').select('id')).pluck('folder_id'),
  ).toEqual([]);
  await filebox[Symbol.asyncDispose]();
  const blobIds: string[] = await db('filebox.entries').whereNotNull('blob_id').pluck('blob_id');
  expect(await heldBlobs()).toEqual(blobIds.toSorted());
  expect(await db('filebox.uploads')).toEqual([]);
  expect(await db('filebox.blob_removals')).toEqual([]);
}

test.each([
  ['a new name', false],
  ['a file', true],
])('of two uploads in place of %s the last commit wins, whichever began first', async (_, isThere) => {
  const box = await openWith('/inbox');
  if (isThere) await box.put('/inbox/a', 'before');
  for (const lastBegan of ['first', 'second']) {
    const begin = () => box.filebox.beginUpload(vfsId, at('/inbox/a'), { ...origin, overwrite: true });
    const [first, second] = [await begin(), await begin()];
    await second.write(Buffer.from('of the second'), 0);
    await first.write(Buffer.from('of the first, which is longer'), 0);
    const inTurn = lastBegan === 'first' ? [second, first] : [first, second];
    for (const upload of inTurn) await upload.commit();
    expect(await box.get('/inbox/a')).toMatch(
      lastBegan === 'first' ? /^of the first, which is longer$/u : /^of the second$/u,
    );
  }
  await expectConsistent(box);
});

test('each of many uploads of one new name is stored completely, and one of them stays', async () => {
  const box = await openWith('/inbox');
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(100));
  const files = await Promise.all(contents.map((content) => box.put('/inbox/a', content)));
  expect(new Set(files.map(({ fileset }) => fileset)).size).toBe(20);
  const kept = await box.filebox.find(vfsId, at('/inbox/a'));
  const stays = files.findIndex(({ fileset }) => kept?.kind === 'file' && fileset === kept.fileset);
  expect(await box.get('/inbox/a')).toBe(contents[stays]);
  expect(await box.audits()).toHaveLength(20);
  await expectConsistent(box);
});

test('exactly one of many uploads of one new name that must not overwrite is stored', async () => {
  const box = await openWith('/inbox');
  const uploads = Array.from({ length: 10 }, (_, index) => box.put('/inbox/a', String(index), { overwrite: false }));
  expect((await outcomes(uploads)).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'already_exists'), 'done']);
  expect(await box.audits()).toHaveLength(1);
  await expectConsistent(box);
});

test('exactly one of a rename and a deletion of one file happens', async () => {
  const box = await openWith('/inbox', '/other');
  for (let round = 0; round < 10; round += 1) {
    await box.put(`/inbox/${round}`, 'x');
    const [renamed, deleted] = await outcomes([
      box.filebox.rename(vfsId, at(`/inbox/${round}`), at(`/other/${round}`), { ...origin, overwrite: false }),
      box.filebox.deleteFile(vfsId, at(`/inbox/${round}`), origin),
    ]);
    expect(new Set([renamed, deleted])).toEqual(new Set(['done', 'file_not_found']));
  }
  await expectConsistent(box);
});

test('exactly one of many renames of one file happens', async () => {
  const box = await openWith('/inbox');
  await box.put('/inbox/a', 'x');
  const renames = Array.from({ length: 8 }, (_, index) =>
    box.filebox.rename(vfsId, at('/inbox/a'), at(`/inbox/to-${index}`), { ...origin, overwrite: false }),
  );
  expect((await outcomes(renames)).filter((outcome) => outcome === 'done')).toHaveLength(1);
  await expectConsistent(box);
});

test('two files that are renamed to each other at once leave one of them, complete', async () => {
  const box = await openWith('/inbox');
  for (let round = 0; round < 10; round += 1) {
    await box.put('/inbox/a', 'a');
    await box.put('/inbox/b', 'b');
    const swap = (from: string, to: string) =>
      box.filebox.rename(vfsId, at(from), at(to), { ...origin, overwrite: true });
    const done = await outcomes([swap('/inbox/a', '/inbox/b'), swap('/inbox/b', '/inbox/a')]);
    expect(done).toContain('done');
    expect(await box.filebox.count(vfsId, at('/inbox'))).toBe(1);
  }
  await expectConsistent(box);
});

test('an upload whose folder is deleted meanwhile is refused at its commit and leaves no bytes', async () => {
  const box = await openWith('/inbox/sub');
  const upload = await box.filebox.beginUpload(vfsId, at('/inbox/sub/a'), { ...origin, overwrite: true });
  await upload.write(Buffer.from('x'), 0);
  await box.filebox.deleteFolder(vfsId, at('/inbox/sub'), origin);
  await expect(upload.commit()).rejects.toMatchObject({ code: 'path_not_found' });
  await expectConsistent(box);
});

test('exactly one of a commit into a folder and the deletion of that folder happens', async () => {
  const box = await openWith('/inbox');
  const seen = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    await box.filebox.ensureFolders(vfsId, [at('/inbox/sub')]);
    const upload = await box.filebox.beginUpload(vfsId, at('/inbox/sub/a'), { ...origin, overwrite: true });
    const [committed, deleted] = await outcomes([
      upload.commit(),
      new Promise((resolve) => setTimeout(resolve, round % 8)).then(() =>
        box.filebox.deleteFolder(vfsId, at('/inbox/sub'), origin),
      ),
    ]);
    seen.add(`${committed} ${deleted}`);
    if (deleted === 'folder_not_empty') await box.filebox.deleteFile(vfsId, at('/inbox/sub/a'), origin);
  }
  expect(['done folder_not_empty', 'path_not_found done']).toEqual(expect.arrayContaining([...seen]));
  await expectConsistent(box);
});

test('two folders never end up inside each other', async () => {
  const box = await openWith('/a', '/b');
  for (let round = 0; round < 10; round += 1) {
    const move = (from: string, to: string) =>
      box.filebox.rename(vfsId, at(from), at(to), { ...origin, overwrite: false });
    const moved = await outcomes([move('/a', '/b/a'), move('/b', '/a/b')]);
    expect(moved.filter((outcome) => outcome === 'done')).toHaveLength(1);
    if (moved[0] === 'done') await move('/b/a', '/a');
    else await move('/a/b', '/b');
  }
  await expectConsistent(box);
});

test('many operations of all kinds at once cause no deadlock, no wrong count and no orphaned blob', async () => {
  const box = await openWith('/a', '/b', '/c');
  const { filebox, put } = box;
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const folder = (): string => `/${'abc'[random(3)]}`;
  const anyPath = (): string => `${folder()}${random(3) === 0 ? folder() : ''}/${'xyz'[random(3)]}`;
  const anyFolder = (): string => `${folder()}${folder()}`;
  const operations = [
    () => put(anyPath(), String(random(10))),
    () => put(anyPath(), String(random(10)), { overwrite: false }),
    () => filebox.deleteFile(vfsId, at(anyPath()), origin),
    () => filebox.rename(vfsId, at(anyPath()), at(anyPath()), { ...origin, overwrite: true }),
    () => filebox.createFolder(vfsId, at(anyFolder()), origin),
    () => filebox.deleteFolder(vfsId, at(anyFolder()), origin),
    () => filebox.deleteFolder(vfsId, at(anyFolder()), { ...origin, recursive: true }),
    () => filebox.rename(vfsId, at(anyFolder()), at(anyFolder()), { ...origin, overwrite: true }),
    () => filebox.list(vfsId, at(folder())),
  ];
  const worker = async (): Promise<string[]> => {
    const seen: string[] = [];
    for (let step = 0; step < 40; step += 1) seen.push(...(await outcomes([operations[random(operations.length)]!()])));
    return seen;
  };
  const seen = (await Promise.all(Array.from({ length: 8 }, worker))).flat();
  expect(seen.filter((outcome) => outcome === 'done').length).toBeGreaterThan(50);
  expect(await countDeadlocks(box.db)).toBe(0);
  await expectConsistent(box);
});
