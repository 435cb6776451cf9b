import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPostgres } from '../src/connect-postgres.ts';
import { copyLine, copyRows, type CopyValue } from '../src/copy-rows.ts';
import type { Database } from '../src/database.ts';

let stack: AsyncDisposableStack;
let db: Database;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase({ name: 'copy_rows', prepare: async () => {} }));
  db = connectPostgres({ url: database.url, applicationName: 'copy test' });
  stack.defer(() => db.destroy());
  await db.raw('CREATE TABLE copied (number bigint PRIMARY KEY, text text, bytes bytea)');
});
afterAll(() => stack.disposeAsync());

async function copy(rows: readonly (readonly CopyValue[])[]) {
  await db.transaction((trx) => copyRows(trx, 'copied (number, text, bytes)', rows.map(copyLine).join('')));
}

it('stores any text, any bytes and null as they are', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0') && one.isWellFormed()),
    fc.string({ unit: fc.constantFrom('\\', '.', 'N', '\n', '\r', '\t', '\v', '\f', '\b', 'x', '0'), maxLength: 9 }),
    fc.constantFrom('\\.', '\\N', '\n\\.\n', ''),
  );
  const row = fc.tuple(fc.option(text), fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes))));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
      await db('copied').truncate();
      await copy(rows.map(([one, bytes], index) => [index, one, bytes]));
      const stored = await db('copied').orderBy('number').select('text', 'bytes');
      expect(stored).toEqual(rows.map(([one, bytes]) => ({ text: one, bytes })));
    }),
    { numRuns: 60 },
  );
});

it('stores nothing of a list with a bad row, and leaves the connection usable', async () => {
  await db('copied').truncate();
  await expect(
    copy([
      [1, 'a', null],
      [1, 'b', null],
    ]),
  ).rejects.toThrow('duplicate key');
  await expect(copy([['x', 'a', null]])).rejects.toThrow('bigint');
  await copy([[2, 'x'.repeat(5_000_000), null]]);
  const [stored] = await db('copied').select('number', db.raw('length(text)'));
  expect(stored).toEqual({ number: '2', length: 5_000_000 });
});

it('is refused after the end of the transaction', async () => {
  const trx = await db.transaction();
  await trx.commit();
  await expect(copyRows(trx, 'copied (number)', '3\n')).rejects.toThrow('has ended');
});
