import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPostgres } from '../src/connect-postgres.ts';
import type { Database } from '../src/database.ts';
import { readCopied } from '../src/read-copied.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPostgres({ url: database.url, applicationName: 'copy test', poolSize: 1 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const texts = [
  '',
  'plain',
  String.raw`\N`,
  String.raw`\\N \t \.`,
  String.raw`\x00ff`,
  '\t\n\r\b\f\v\\',
  'a\tb\nc\\',
  '\u0001\u001f\u007f\u2028',
  'ü \u{1f600}',
];

it('reads every text as it is stored, and tells NULL from text that looks like it', async () => {
  await db.raw('CREATE TABLE texts (number integer, content text, other text)');
  await db('texts').insert(texts.map((content, number) => ({ number, content })));
  const rows = await readCopied(db, 'SELECT number, content, other FROM texts ORDER BY number');
  expect(rows).toEqual(texts.map((content, number) => [String(number), content, null]));
});

it('reads no rows, long rows and many rows', async () => {
  expect(await readCopied(db, 'SELECT 1 WHERE false')).toEqual([]);
  expect(await readCopied(db, "SELECT repeat('ü', 3000000)")).toEqual([['ü'.repeat(3_000_000)]]);
  const rows = await readCopied(db, 'SELECT n, n * 2 FROM generate_series(1, 100000) AS n');
  expect([rows.length, rows.at(-1)]).toEqual([100_000, ['100000', '200000']]);
});

it('belongs to the transaction that it is given, and is refused after its end', async () => {
  const trx = await db.transaction();
  await trx.raw('CREATE TABLE pending AS SELECT 1 AS one');
  expect(await readCopied(trx, 'SELECT one FROM pending')).toEqual([['1']]);
  await trx.rollback();
  await expect(readCopied(trx, 'SELECT 1')).rejects.toThrow('the transaction of the rows has ended');
});

it('fails with the error of PostgreSQL, also after the first rows, and leaves the connection usable', async () => {
  await expect(readCopied(db, 'SELECT nothing')).rejects.toMatchObject({ code: '42703' });
  await expect(readCopied(db, 'SELECT 1 / (50000 - n) FROM generate_series(1, 100000) AS n')).rejects.toMatchObject({
    code: '22012',
  });
  expect(await readCopied(db, 'SELECT 1')).toEqual([['1']]);
});
