import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, onTestFinished, test } from 'vitest';
import { countWaiting } from './count-waiting.ts';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const names = Array.from({ length: 9 }, (_, file) => `file-${file}`);

async function openWithDownloads() {
  const box = await openTestFilebox();
  for (const name of names) await box.put(`/${name}`, name);
  const downloads = await Promise.all(
    names.map((name) => box.filebox.openDownload(vfsId, parseVirtualPath(`/${name}`), { origin: acme })),
  );
  onTestFinished(async () => {
    await Promise.all(downloads.map((download) => download[Symbol.asyncDispose]()));
  });
  const transactions = async (): Promise<{ messages: string; times: string }> => {
    const { rows } = await box.db.raw<{ rows: [{ messages: string; times: string }] }>(
      `SELECT (SELECT count(DISTINCT xmin::text) FROM outbox.events WHERE payload::text LIKE '%ownload%') AS messages,
         (SELECT count(DISTINCT last_read_at) FROM filebox.entries) AS times`,
    );
    return rows[0];
  };
  const recorded = async () => (await box.audits()).filter(({ auditCode }) => auditCode === 'AUD0042A');
  return { ...box, downloads, transactions, recorded };
}

test('downloads that end together are recorded together, each as if alone', async () => {
  const { filebox, downloads, transactions, recorded, fileEvents } = await openWithDownloads();
  await Promise.all(downloads.map((download) => download.complete()));
  expect(await transactions()).toEqual({ messages: '1', times: '1' });
  const messages = (await recorded()).map(({ auditMessage }) => auditMessage);
  expect(names.every((name) => messages.some((message) => message.includes(`/${name}`)))).toBe(true);
  expect(messages).toHaveLength(names.length);
  expect((await fileEvents()).filter(({ kind }) => kind === 'downloaded')).toHaveLength(names.length);
  for (const name of names) {
    expect(await filebox.find(vfsId, parseVirtualPath(`/${name}`))).toMatchObject({ lastReadAt: expect.any(Date) });
  }
});

test('a download that cannot be recorded does not prevent the others, and can be repeated', async () => {
  const { db, downloads, recorded } = await openWithDownloads();
  await db.raw(`
    CREATE FUNCTION outbox.refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER refuse_one BEFORE INSERT ON outbox.events FOR EACH ROW
      WHEN (NEW.payload->>'auditMessage' LIKE '%/file-4%') EXECUTE FUNCTION outbox.refuse_one();`);
  const ends = await Promise.allSettled(downloads.map((download) => download.complete()));
  expect(ends.map(({ status }) => status)).toEqual(names.map((_, file) => (file === 4 ? 'rejected' : 'fulfilled')));
  expect(await recorded()).toHaveLength(names.length - 1);
  await db.raw('DROP FUNCTION outbox.refuse_one CASCADE');
  await downloads[4]?.complete();
  expect(await recorded()).toHaveLength(names.length);
});

test('a recording that waits does not delay those of other virtual file systems, and later ones not for long', async () => {
  const { db, filebox, downloads, recorded } = await openWithDownloads();
  const otherVfsId = `${vfsId.slice(0, -1)}2`;
  const upload = await filebox.beginUpload(otherVfsId, parseVirtualPath('/other'), { origin: acme, overwrite: true });
  await upload.commit();
  await using other = await filebox.openDownload(otherVfsId, parseVirtualPath('/other'), { origin: acme });
  const [first, ...rest] = downloads;
  const heldUp = await db.transaction(async (trx) => {
    await trx.raw("SELECT FROM filebox.entries WHERE name = 'file-0' FOR UPDATE");
    const waiting = first?.complete();
    await waitFor(async () => (await countWaiting(db)) > 0, { what: 'the recording to wait' });
    await Promise.all([other.complete(), ...rest.map((download) => download.complete())]);
    expect(await recorded()).toHaveLength(names.length);
    return { waiting };
  });
  await heldUp.waiting;
  expect(await recorded()).toHaveLength(names.length + 1);
});
