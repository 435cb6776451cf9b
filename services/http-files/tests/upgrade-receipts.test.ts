import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate, type OwnedSchema } from '@waybill/postgres/migrate';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { expect, test } from 'vitest';
import { createKnexReceiptBook } from '../src/adapters/knex-receipt-book.ts';
import { createKnexResumableUploadBook } from '../src/adapters/knex-resumable-upload-book.ts';
import { httpFilesSchema } from '../src/http-files-schema.ts';

const before = (schema: OwnedSchema, first: string): OwnedSchema => ({
  ...schema,
  migrations: schema.migrations.filter(({ name }) => name < first),
});

/** `kept` exists since before the directory knew since when names are owned; `reborn` has the name of a user who was deleted. */
const users = `
  INSERT INTO directory.actors (name, definition) VALUES ('acme', '{}');
  INSERT INTO directory.partner_users (actor_id, name, groups, enabled, definition, owned_since)
  SELECT a.id, u.name, '{}', true, '{}',
    CASE u.name WHEN 'kept' THEN (SELECT applied_at FROM directory.migrations WHERE name = '0037_owned_since') ELSE now() + interval '1 hour' END
  FROM directory.actors a, unnest(ARRAY['kept', 'reborn']) AS u (name)`;

/** For each of them, and for a user who is gone: a receipt and an answered key of this moment, and an upload. */
const rows = `
  INSERT INTO http_files.receipts
  SELECT n, name, '/' || name, 1, decode(repeat('ab', 32), 'hex'), now(), 'd'
  FROM unnest(ARRAY['kept', 'reborn', 'gone']) WITH ORDINALITY AS u (name, n);
  INSERT INTO http_files.idempotency_keys
  SELECT user_name, 'k', 'f', fileset, now() + interval '1 day' FROM http_files.receipts;
  INSERT INTO http_files.resumable_uploads (id, user_name, path, vfs_id, blob_id, media_type, metadata, description, expires_at, idempotency_key)
  SELECT 'of ' || user_name, user_name, '/u', 'v', gen_random_uuid(), 't', '{}', '', now() + interval '1 day', 'k'
  FROM http_files.receipts`;

test('an upgrade keeps receipts, keys and uploads of present users, and gives them nothing of former ones', async () => {
  await using database = await createTestDatabase({
    name: 'old_receipts',
    prepare: async (url) => {
      const db = connectPostgres({ url, applicationName: 'test template' });
      const old = [before(directorySchema, '0040'), fileboxSchema, before(httpFilesSchema, '0008')];
      try {
        for (const schema of [accessSchema, outboxSchema, ...old]) await migrate(db, schema);
      } finally {
        await db.destroy();
      }
    },
  });
  const db = connectPostgres({ url: database.url, applicationName: 'test', poolSize: 2 });
  try {
    for (const sql of [users, rows]) await db.raw(sql);
    for (const schema of [directorySchema, httpFilesSchema]) await migrate(db, schema);
    const [receipts, uploads] = [createKnexReceiptBook(db), createKnexResumableUploadBook(db)];
    const found = async (name: string) => {
      const user = { id: await idOf(name) };
      const all = await Promise.all(['1', '2', '3'].map((fileset) => receipts.find(user, fileset)));
      const upload = await uploads.findKeyed(user, 'k');
      return [all.map((receipt) => receipt?.path), (await receipts.findAnswered(user, 'k'))?.receipt.path, upload?.id];
    };
    const idOf = async (name: string): Promise<string> => {
      const [row] = await database.query('SELECT id FROM directory.partner_users WHERE name = $1', [name]);
      return String(row?.['id']);
    };
    expect(await found('kept')).toEqual([['/kept', undefined, undefined], '/kept', 'of kept']);
    // It is not known when the upload began, which ends within a day.
    expect(await found('reborn')).toEqual([[undefined, undefined, undefined], undefined, 'of reborn']);
  } finally {
    await db.destroy();
  }
});
