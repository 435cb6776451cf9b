import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { expect, test } from 'vitest';
import { connectPostgres } from '../src/connect-postgres.ts';
import type { Database } from '../src/database.ts';
import { migrate, type OwnedSchema } from '../src/migrate.ts';

const shelves: OwnedSchema = {
  schema: 'library',
  migrations: [
    { name: '0001_shelves', up: async (trx) => void (await trx.raw('CREATE TABLE library.shelves (id int)')) },
    { name: '0002_books', up: async (trx) => void (await trx.raw('CREATE TABLE library.books (id int)')) },
  ],
};

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  await using database = await createTestDatabase();
  const db = connectPostgres({ url: database.url, applicationName: 'migrate test' });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

test('what is missing is applied in order, once', async () => {
  await withDatabase(async (db) => {
    expect(await migrate(db, { ...shelves, migrations: shelves.migrations.slice(0, 1) })).toEqual(['0001_shelves']);
    expect(await migrate(db, shelves)).toEqual(['0002_books']);
    expect(await migrate(db, shelves)).toEqual([]);
  });
});

test('concurrent processes are serialized', async () => {
  await withDatabase(async (db) => {
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(db, shelves)));
    expect(applied.flat().toSorted()).toEqual(['0001_shelves', '0002_books']);
  });
});

test('a migration that fails leaves nothing behind', async () => {
  await withDatabase(async (db) => {
    const broken = {
      name: '0003_broken',
      up: async (trx: Database) => void (await trx.raw('CREATE TABLE nowhere.x (id int)')),
    };
    await expect(migrate(db, { ...shelves, migrations: [...shelves.migrations, broken] })).rejects.toThrow('nowhere');
    expect(await migrate(db, shelves)).toEqual(['0001_shelves', '0002_books']);
  });
});

test('a schema that a newer release has migrated is not changed', async () => {
  await withDatabase(async (db) => {
    const older = { ...shelves, migrations: shelves.migrations.slice(0, 1) };
    await migrate(db, shelves);
    const third = { name: '0003_lamps', up: async (trx: Database) => void (await trx.raw('SELECT 1')) };
    for (const migrations of [older.migrations, [...older.migrations, third]]) {
      await expect(migrate(db, { ...shelves, migrations })).rejects.toMatchObject({
        code: 'database_mismatch',
        message:
          'the database is newer than this release, which does not know the migration library.0002_books: ' +
          'start the release that the database was migrated for, or restore the backup from before the migration',
      });
    }
    expect(await db.withSchema('library').from('migrations').pluck('name')).toEqual(['0001_shelves', '0002_books']);
  });
});
