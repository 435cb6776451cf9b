import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { AddedStatement } from '../src/model/delivery-addition.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const path = parseVirtualPath('/a.bin');
const statement: AddedStatement = {
  name: 'test notes',
  sql: 'INSERT INTO public.notes (fileset, size, note) SELECT id, size, :note FROM stored',
};

async function openWithNotes() {
  const box = await openTestFilebox();
  await box.db.raw('CREATE TABLE public.notes (fileset bigint, size bigint, note text)');
  const notes = async (): Promise<unknown[]> => box.db('public.notes').orderBy('note');
  const begin = async (overwrite = true) => {
    const upload = await box.filebox.beginUpload(vfsId, path, { origin: acme, overwrite });
    await upload.write(Buffer.from('content'), 0);
    return upload;
  };
  return { ...box, notes, begin, addition: (note: string) => ({ statement, bindings: { note } }) };
}

test('what is stored alongside is there with the file, and knows it', async () => {
  const { notes, begin, addition } = await openWithNotes();
  const first = await (await begin()).commit({ alongside: addition('one') });
  const second = await (await begin()).commit({ alongside: addition('two') });
  expect(await notes()).toEqual([
    { fileset: first.fileset, size: '7', note: 'one' },
    { fileset: second.fileset, size: '7', note: 'two' },
  ]);
});

test('what is stored alongside a file that is not delivered is not there', async () => {
  const { put, notes, begin, addition } = await openWithNotes();
  const upload = await begin(false);
  await put(path, 'other');
  await expect(upload.commit({ alongside: addition('one') })).rejects.toMatchObject({ code: 'already_exists' });
  expect(await notes()).toEqual([]);
});

test('who works within the transaction sees what is stored alongside, and undoes it by failing', async () => {
  const { notes, begin, addition } = await openWithNotes();
  const seen: unknown[] = [];
  const upload = await begin();
  const committed = upload.commit({
    alongside: addition('one'),
    within: async (transaction) => {
      seen.push(...(await transaction('public.notes').pluck('note')));
      throw new Error('no');
    },
  });
  await expect(committed).rejects.toThrow('no');
  expect([seen, await notes()]).toEqual([['one'], []]);
});

test('nothing can be stored alongside when its own statement is wrong: the file is not there either', async () => {
  const { begin, filebox } = await openWithNotes();
  const wrong = { statement: { name: 'test wrong', sql: 'INSERT INTO nowhere SELECT id FROM stored' }, bindings: {} };
  await expect((await begin()).commit({ alongside: wrong })).rejects.toThrow(/nowhere/u);
  expect(await filebox.find(vfsId, path)).toBeUndefined();
});
