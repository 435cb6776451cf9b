import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

test('a failed statement leaves the connection usable', async () => {
  await expect(runPrepared(db, insert, { id: 1 })).rejects.toMatchObject({ code: '23505' });
  expect(await runPrepared(db, insert, { id: 3 })).toEqual([{ id: 3 }]);
});

test('a statement without rows returns none, and runs on a connection on which its first run failed', async () => {
  const silent = prepareStatement('silent insert', 'INSERT INTO notes (id) VALUES (CAST(:id AS integer))');
  await expect(runPrepared(db, silent, { id: 1 })).rejects.toMatchObject({ code: '23505' });
  expect(await runPrepared(db, silent, { id: 10 })).toEqual([]);
  expect(await runPrepared(db, silent, { id: 11 })).toEqual([]);
  expect(await db('notes').whereIn('id', [10, 11])).toHaveLength(2);
  const misspelt = prepareStatement('misspelt', 'SELECT nonsense');
  for (const _ of [1, 2]) await expect(runPrepared(db, misspelt, {})).rejects.toMatchObject({ code: '42703' });
});

test('values are encoded and decoded as in other queries, in the first run and the next', async () => {
  const bindings = {
    text: 'Ünï "quoted" \\ {}',
    many: ['a', 'b,"c"', '\\'],
    at: new Date('2026-02-03T04:05:06.789Z'),
    far: new Date('+012345-02-03T04:05:06.789Z'),
    early: new Date('-000044-03-15T12:00:00Z'),
    nested: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    bytes: Buffer.from([0, 1, 255]),
    count: 42,
    yes: true,
    nothing: null,
    json: JSON.stringify({ a: [1] }),
  };
  const sql = `SELECT CAST(:text AS text) AS text, CAST(:many AS text[]) AS many, CAST(:at AS timestamptz) AS at,
    CAST(:far AS timestamptz) AS far, CAST(:early AS timestamptz) AS early, CAST(:nested AS text[]) AS nested,
    CAST(:bytes AS bytea) AS bytes, CAST(:count AS bigint) AS big, CAST(:count AS integer) AS count,
    CAST(:yes AS boolean) AS yes, CAST(:nothing AS text) AS nothing, CAST(:json AS jsonb) AS json
    FROM generate_series(1, 2)`;
  const { rows } = await db.raw<{ rows: unknown[] }>(sql, bindings);
  const statement = prepareStatement('of all kinds', sql);
  for (const _ of [1, 2, 3]) expect(await runPrepared(db, statement, bindings)).toEqual(rows);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ text: bindings.text, many: bindings.many, at: bindings.at, big: '42', count: 42 });
});

test('what rows look like is asked for once on a connection', async () => {
  const asked = vi.spyOn(pg.Connection.prototype, 'describe');
  const statement = prepareStatement('asked once', 'SELECT 1 AS one');
  for (const _ of [1, 2, 3]) expect(await runPrepared(db, statement, {})).toEqual([{ one: 1 }]);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
});

test('a failure has the stack of the caller', async () => {
  const failed = await runPrepared(db, insert, { id: 1 }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed instanceof Error && failed.stack).toContain('run-prepared.test.ts');
});

test('within a transaction it is part of it', async () => {
  const undone = db.transaction(async (transaction) => {
    await runPrepared(transaction, insert, { id: 4 });
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  expect(await db('notes').where({ id: 4 })).toEqual([]);
});

test('a transaction that has ended accepts no more statements', async () => {
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
