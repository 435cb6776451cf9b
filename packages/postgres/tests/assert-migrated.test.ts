import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertMigrated } from '../src/assert-migrated.ts';
import { connectPostgres } from '../src/connect-postgres.ts';
import type { Database } from '../src/database.ts';
import { migrate, type OwnedSchema } from '../src/migrate.ts';

const schemaOf = (schema: string, ...names: readonly string[]): OwnedSchema => ({
  schema,
  migrations: names.map((name) => ({ name, up: async () => {} })),
});
const shelves = schemaOf('shelves', '0001_boards', '0002_books');
const readers = schemaOf('readers', '0001_cards');

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPostgres({ url: database.url, applicationName: 'assert-migrated test' });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('an empty database must be prepared', async () => {
  await expect(assertMigrated(db, [shelves, readers])).rejects.toMatchObject({
    code: 'database_mismatch',
    message: 'the database has not been prepared: run `waybill migrate` first',
  });
});

test('an older database must be migrated, and the missing migration is named', async () => {
  await migrate(db, schemaOf('shelves', '0001_boards'));
  await expect(assertMigrated(db, [shelves, readers])).rejects.toMatchObject({
    code: 'database_mismatch',
    message:
      'the database is older than this release: run `waybill migrate` first, which applies shelves.0002_books, readers.0001_cards',
  });
});

test('a database of the same release is accepted', async () => {
  await migrate(db, shelves);
  await migrate(db, readers);
  await expect(assertMigrated(db, [shelves, readers])).resolves.toBeUndefined();
});

test('a newer database is refused, and what is not known of it is named; other schemas than those used do not count', async () => {
  await migrate(db, schemaOf('shelves', '0001_boards', '0002_books', '0003_lamps', '0004_ladders'));
  await expect(assertMigrated(db, [readers, shelves])).rejects.toMatchObject({
    code: 'database_mismatch',
    message: expect.stringContaining('does not know the migrations shelves.0003_lamps, shelves.0004_ladders:'),
  });
  await expect(assertMigrated(db, [readers])).resolves.toBeUndefined();
});

test('a migration under way is waited for', async () => {
  const holding = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const stamps = {
    name: '0002_stamps',
    up: async () => {
      holding.resolve();
      await goOn.promise;
    },
  };
  const migrating = migrate(db, { ...readers, migrations: [...readers.migrations, stamps] });
  await holding.promise;
  const judged = assertMigrated(db, [readers]);
  // It is not to settle.
  const first = await Promise.race([judged.catch(() => 'judged'), delay(300)]);
  goOn.resolve();
  await migrating;
  expect(first).toBeUndefined();
  await expect(judged).rejects.toThrow('readers.0002_stamps');
});
