import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Transaction } from '@waybill/postgres/database';
import { expect, test } from 'vitest';
import { countDeadlocks } from './count-deadlocks.ts';
import { countWaiting } from './count-waiting.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const at = parseVirtualPath;
const origin = { origin: acme };

async function openTree() {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, ['/tree/sub', '/keep'].map(at));
  for (const path of ['/tree/a', '/tree/m', '/tree/z', '/tree/sub/b']) await box.put(path, path);
  return box;
}

/** Deletes the tree while a transaction that has changed something in it is open, and then commits. */
async function deleteDuring(box: TestFilebox, change: (trx: Transaction) => Promise<unknown>): Promise<void> {
  const trx = await box.db.transaction();
  await change(trx);
  const deletion = box.filebox.deleteFolder(vfsId, at('/tree'), { ...origin, recursive: true });
  await expect.poll(() => countWaiting(box.db)).toBe(1);
  await trx.commit();
  await deletion;
}

const deleted = async ({ audits }: TestFilebox): Promise<string[]> =>
  (await audits())
    .filter(({ auditMessage }) => auditMessage.startsWith('Server delete'))
    .map(({ entityName }) => entityName)
    .toSorted();

test('a file that is moved out of a tree at the last moment is not deleted with it', async () => {
  const box = await openTree();
  await deleteDuring(box, (trx) =>
    trx.raw(
      `UPDATE filebox.entries SET parent_id = filebox.entry_at(?, ARRAY['keep']) WHERE name = 'm'
       AND parent_id = filebox.entry_at(?, ARRAY['tree'])`,
      [vfsId, vfsId],
    ),
  );
  expect(await box.get('/keep/m')).toBe('/tree/m');
  expect(await box.filebox.find(vfsId, at('/tree'))).toBeUndefined();
  expect(await deleted(box)).toEqual(['/tree', '/tree/a', '/tree/sub', '/tree/sub/b', '/tree/z']);
});

test('a file that is renamed in its folder at the last moment is deleted under its new name', async () => {
  const box = await openTree();
  await deleteDuring(box, (trx) => trx.raw("UPDATE filebox.entries SET name = '0' WHERE name = 'm'"));
  expect(await box.filebox.count(vfsId, at('/'))).toBe(1);
  expect(await deleted(box)).toEqual(['/tree', '/tree/0', '/tree/a', '/tree/sub', '/tree/sub/b', '/tree/z']);
});

test('a file that is replaced at the last moment is deleted as the new version, and both blobs are removed', async () => {
  const box = await openTree();
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const upload = await box.filebox.beginUpload(vfsId, at('/tree/m'), { ...origin, overwrite: true });
  await upload.write(Buffer.from('another'), 0);
  const committed = upload.commit({
    within: async () => {
      begun.resolve();
      await finish.promise;
    },
  });
  await begun.promise;
  const deletion = box.filebox.deleteFolder(vfsId, at('/tree'), { ...origin, recursive: true });
  await expect.poll(() => countWaiting(box.db)).toBe(1);
  finish.resolve();
  const [file] = await Promise.all([committed, deletion]);
  const messages = (await box.audits()).map(({ auditMessage }) => auditMessage);
  expect(messages).toContain(`Server delete file /tree/m FilesetId ${file.fileset}`);
  expect(messages.filter((message) => message.startsWith('Server delete file'))).toHaveLength(4);
  await expect.poll(box.heldBlobs).toEqual([]);
});

test.each([
  ['to another folder of it', '/tree/sub/a'],
  ['out of it, in place of another file', '/keep/a'],
])('the deletion of a tree and a move of one of its files %s do not deadlock', async (_, to) => {
  const box = await openTree();
  await box.put('/keep/a', 'kept');
  const trx = await box.db.transaction();
  // The deletion has locked its folders, and has reached this file.
  await trx.raw("SELECT FROM filebox.entries WHERE name = 'm' FOR UPDATE");
  const deletion = box.filebox.deleteFolder(vfsId, at('/tree'), { ...origin, recursive: true });
  await expect.poll(() => countWaiting(box.db)).toBe(1);
  const move = box.filebox.rename(vfsId, at('/tree/z'), at(to), { ...origin, overwrite: true });
  const outcomes = Promise.allSettled([deletion, move]);
  await expect.poll(() => countWaiting(box.db)).toBe(2);
  await trx.commit();
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: undefined },
    // It is repeated, and its folder is gone.
    { status: 'rejected', reason: expect.objectContaining({ code: 'path_not_found' }) },
  ]);
  expect(await countDeadlocks(box.db)).toBe(0);
  expect(await box.get('/keep/a')).toBe('kept');
  expect(await box.filebox.find(vfsId, at('/tree'))).toBeUndefined();
});
