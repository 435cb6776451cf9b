import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { expect, onTestFinished, test } from 'vitest';
import type { CompanionWrite } from '../src/model/companion-write.ts';
import type { TransferRight } from '../src/model/transfer-right.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { startLossyProxy } from './start-lossy-proxy.ts';

const path = parseVirtualPath('/a.bin');

/** A caller that notes each change in a table, and refuses it by an error of its own while the table is closed. */
async function openWithNotes(options: Parameters<typeof openTestFilebox>[0] = {}) {
  const box = await openTestFilebox(options);
  await box.db.raw(`
    CREATE TABLE public.notes (caller text, fileset bigint, size bigint, sha256 text, in_commit boolean);
    CREATE TABLE public.closed (closed boolean);
    CREATE FUNCTION public.note(caller text, fileset bigint, size bigint, sha256 text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO public.notes VALUES (caller, fileset, size, sha256, current_query() LIKE '%DELETE FROM filebox.uploads%');
      IF EXISTS (SELECT FROM public.closed) THEN RAISE EXCEPTION 'not now' USING ERRCODE = 'WBTST'; END IF;
    END $$;`);
  const companion: CompanionWrite = {
    name: 'test notes',
    sql: 'public.note(CAST(:noteCaller AS text), changed.fileset, changed.size, changed.sha256)',
    bindings: { noteCaller: 'caller' },
  };
  const begin = async (content = 'content', overwrite = true) => {
    const upload = await box.filebox.beginUpload(vfsId, path, { origin: acme, overwrite });
    await upload.write(Buffer.from(content), 0);
    return upload;
  };
  const close = async () => {
    await box.db('closed').insert({ closed: true });
  };
  const notes = async (): Promise<unknown[]> => box.db('notes').select();
  return { ...box, companion, begin, notes, close };
}

const noteOf = ({ fileset, size, sha256 }: { fileset: string; size: number; sha256: string }) => ({
  caller: 'caller',
  fileset,
  size: String(size),
  sha256,
  in_commit: true,
});

test('what a caller writes with a file, in the statement of the commit, describes that file, new or replaced', async () => {
  const { begin, companion, notes } = await openWithNotes();
  const first = await (await begin()).commit({ companion });
  const second = await (await begin('other content')).commit({ companion });
  expect(await notes()).toEqual([noteOf(first), noteOf(second)]);
});

test('an error of the caller undoes the commit: the old version is there, and nothing tells of the new one', async () => {
  const { begin, companion, notes, close, put, get, audits, fileEvents, heldBlobs } = await openWithNotes();
  const { blobId } = await put(path, 'old');
  const upload = await begin('new');
  await close();
  await expect(upload.commit({ companion })).rejects.toMatchObject({ code: 'WBTST', message: 'not now' });
  expect([await get(path), await notes(), await heldBlobs()]).toEqual(['old', [], [blobId]]);
  expect([(await audits()).length, (await fileEvents()).length]).toEqual([1, 1]);
});

test('a file that is refused is not written of', async () => {
  const { begin, companion, notes, put, get } = await openWithNotes();
  const upload = await begin('new', false);
  await put(path, 'other');
  await expect(upload.commit({ companion })).rejects.toMatchObject({ code: 'already_exists' });
  const discarded = await begin('newer');
  await discarded.discard();
  expect([await get(path), await notes()]).toEqual(['other', []]);
});

test('a file whose folder was renamed during the upload is written of once', async () => {
  const { filebox, companion, notes, get } = await openWithNotes();
  await filebox.ensureFolders(vfsId, [parseVirtualPath('/in')]);
  const inside = parseVirtualPath('/in/a.bin');
  const upload = await filebox.beginUpload(vfsId, inside, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('content'), 0);
  await filebox.rename(vfsId, parseVirtualPath('/in'), parseVirtualPath('/out'), { origin: acme, overwrite: false });
  const file = await upload.commit({ companion });
  expect([await get('/out/a.bin'), await notes()]).toEqual(['content', [noteOf(file)]]);
});

test('a copy that shares the bytes of a file is written of, or undone with it', async () => {
  const { filebox, put, get, companion, notes, close } = await openWithNotes();
  await put('/source', 'content');
  const copyTo = async (to: string) => {
    await using download = await filebox.openDownload(vfsId, parseVirtualPath('/source'), { origin: acme });
    const upload = await filebox.beginUpload(vfsId, parseVirtualPath(to), { origin: acme, overwrite: true });
    await upload.copyFrom(download);
    return await upload.commit({ companion });
  };
  const file = await copyTo('/one');
  await close();
  await expect(copyTo('/two')).rejects.toMatchObject({ code: 'WBTST' });
  expect([await get('/two'), await notes()]).toEqual([undefined, [noteOf(file)]]);
});

test('it joins a right, a receipt and work in the same transaction', async () => {
  const receiptTable = 'public.receipts';
  const { filebox, db, companion, notes } = await openWithNotes({ receiptTable });
  await db.raw(`CREATE TABLE ${receiptTable} (fileset bigint, user_id bigint, user_name text, path text, size bigint, sha256 bytea,
    stored_at timestamptz(3), dfiid text)`);
  const right: TransferRight = {
    signal: new AbortController().signal,
    condition: { name: 'test always', sql: ':answer = 42' },
    bindings: () => ({ answer: 42 }),
    renew: () => Promise.resolve(),
    [Symbol.dispose]: () => {},
  };
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true, right });
  await upload.write(Buffer.from('content'), 0);
  const seen: unknown[] = [];
  const file = await upload.commit({
    companion,
    receipt: { userId: '7', userName: acme.userName, path },
    within: async (transaction) => {
      seen.push(...(await transaction('notes').pluck('fileset')));
    },
  });
  const receipts: unknown = await db(receiptTable).pluck('fileset');
  expect([seen, receipts, await notes()]).toEqual([[file.fileset], [file.fileset], [noteOf(file)]]);
});

test('if the result of the commit is lost, the file was committed and written of once', async () => {
  const { databaseUrl, openAnother, companion, notes, get } = await openWithNotes();
  const proxy = await startLossyProxy(databaseUrl);
  const db = connectPostgres({ url: proxy.url, applicationName: 'filebox test' });
  onTestFinished(() => db.destroy());
  const filebox = await openAnother({ db });
  const upload = await filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true });
  await upload.write(Buffer.from('content'), 0);
  // What became of it is asked on another connection. On a busy machine one that is opened then may come too late.
  await Promise.all(Array.from({ length: 4 }, () => db.raw('SELECT pg_sleep(0.1)')));
  proxy.loseAnswersTo('filebox commit upload');
  const file = await upload.commit({ companion });
  expect([await get(path), await notes()]).toEqual(['content', [noteOf(file)]]);
});
