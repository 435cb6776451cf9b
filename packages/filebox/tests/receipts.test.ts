import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.bin');
const receiptTable = 'public.receipts';
const receiptOf = (userName: string) => ({
  userId: '7',
  userName: userNameSchema.parse(userName),
  path: parseVirtualPath('/mount/a.bin'),
});

async function openWithReceipts() {
  const box = await openTestFilebox({ receiptTable });
  await box.db
    .raw(`CREATE TABLE ${receiptTable} (fileset bigint, user_id bigint, user_name text, path text, size bigint, sha256 bytea,
    stored_at timestamptz(3), dfiid text)`);
  const receipts = async (): Promise<unknown[]> => box.db(receiptTable).orderBy('user_name');
  const begin = async (overwrite = true) => {
    const upload = await box.filebox.beginUpload(vfsId, path, { origin: acme, overwrite });
    await upload.write(Buffer.from('content'), 0);
    return upload;
  };
  return { ...box, receipts, begin };
}

test('a receipt is stored with its file, and describes that file', async () => {
  const { receipts, begin } = await openWithReceipts();
  const first = await (await begin()).commit({ receipt: receiptOf('one') });
  const second = await (await begin()).commit({ receipt: receiptOf('two') });
  const rowOf = (file: typeof first, userName: string) => ({
    fileset: file.fileset,
    user_id: '7',
    user_name: userName,
    path: '/mount/a.bin',
    size: '7',
    sha256: Buffer.from(file.sha256, 'hex'),
    stored_at: file.putAt,
    dfiid: file.dfic.dfiid,
  });
  expect(await receipts()).toEqual([rowOf(first, 'one'), rowOf(second, 'two')]);
});

test('a file that is not committed has no receipt', async () => {
  const { put, receipts, begin } = await openWithReceipts();
  const upload = await begin(false);
  await put(path, 'other');
  await expect(upload.commit({ receipt: receiptOf('one') })).rejects.toMatchObject({ code: 'already_exists' });
  expect(await receipts()).toEqual([]);
});

test('work in the same transaction sees the receipt, and undoes it by failing', async () => {
  const { receipts, begin } = await openWithReceipts();
  const seen: unknown[] = [];
  const upload = await begin();
  const committed = upload.commit({
    receipt: receiptOf('one'),
    within: async (transaction) => {
      seen.push(...(await transaction(receiptTable).pluck('user_name')));
      throw new Error('no');
    },
  });
  await expect(committed).rejects.toThrow('no');
  expect([seen, await receipts()]).toEqual([['one'], []]);
});

test('a file whose receipt cannot be stored is not committed', async () => {
  const { begin, db, filebox } = await openWithReceipts();
  await db.raw(`DROP TABLE ${receiptTable}`);
  await expect((await begin()).commit({ receipt: receiptOf('one') })).rejects.toThrow(/receipts/u);
  expect(await filebox.find(vfsId, path)).toBeUndefined();
});

test('a filebox without a table for receipts refuses to commit a file with one', async () => {
  const { filebox, heldBlobs } = await openTestFilebox();
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('content'), 0);
  await expect(upload.commit({ receipt: receiptOf('one') })).rejects.toThrow('no table for receipts');
  expect([await filebox.find(vfsId, path), await heldBlobs()]).toEqual([undefined, []]);
});
