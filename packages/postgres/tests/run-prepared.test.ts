import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPostgres } from '../src/connect-postgres.ts';
import type { Database } from '../src/database.ts';
import { prepareStatement } from '../src/prepared-statement.ts';
import { runPrepared } from '../src/run-prepared.ts';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  db = connectPostgres({ url: database.url, applicationName: 'test', poolSize: 1 });
  drop = () => database.drop();
  await db.raw('CREATE TABLE notes (id integer PRIMARY KEY)');
});
afterAll(async () => {
  await db.destroy();
  await drop();
});

const insert = prepareStatement('insert', 'INSERT INTO notes (id) VALUES (CAST(:id AS integer)) RETURNING id');

test('rows are answered, and the connection is free again', async () => {
  expect(await runPrepared(db, insert, { id: 1 })).toEqual([{ id: 1 }]);
  expect(await runPrepared(db, insert, { id: 2 })).toEqual([{ id: 2 }]);
});

test('a statement that fails leaves the connection to others', async () => {
  await expect(runPrepared(db, insert, { id: 1 })).rejects.toMatchObject({ code: '23505' });
  expect(await runPrepared(db, insert, { id: 3 })).toEqual([{ id: 3 }]);
});

test('within a transaction it is part of it', async () => {
  const undone = db.transaction(async (transaction) => {
    await runPrepared(transaction, insert, { id: 4 });
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  expect(await db('notes').where({ id: 4 })).toEqual([]);
});

test('a transaction that has ended takes no more', async () => {
  const ended = await db.transaction((transaction) => Promise.resolve([transaction]));
  for (const transaction of ended) await expect(runPrepared(transaction, insert, { id: 6 })).rejects.toThrow('ended');
  expect(await db('notes').where({ id: 6 })).toEqual([]);
});

test('a connection that broke is not used again', async () => {
  const [row] = await runPrepared<{ pid: number }>(db, prepareStatement('pid', 'SELECT pg_backend_pid() AS pid'), {});
  const other = connectPostgres({ url: db.client.config.connection.connectionString, applicationName: 'other' });
  await other.raw('SELECT pg_terminate_backend(?)', [row?.pid ?? 0]);
  await other.destroy();
  await expect.poll(() => runPrepared(db, insert, { id: 5 }).catch(() => undefined)).toEqual([{ id: 5 }]);
});
