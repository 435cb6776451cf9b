import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../src/create-test-database.ts';
import type { TestDatabase } from '../src/create-test-database.ts';

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe('createTestDatabase', () => {
  const databases: TestDatabase[] = [];
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  it('prepares a template once and gives every caller a separate copy', async () => {
    let prepared = 0;
    const template = {
      name: 'numbers',
      prepare: async (url: string) => {
        prepared += 1;
        await runOn(url, 'CREATE TABLE numbers (n integer); INSERT INTO numbers VALUES (1)');
      },
    };
    const [one, two] = await Promise.all([createTestDatabase(template), createTestDatabase(template)]);
    databases.push(one, two);
    await one.query('INSERT INTO numbers VALUES ($1)', [2]);
    expect(await one.query('SELECT n FROM numbers ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await two.query('SELECT n FROM numbers ORDER BY n')).toEqual([{ n: 1 }]);
    expect(prepared).toBe(1);
  });

  it('creates the template again if its preparation failed', async () => {
    const failing = { name: 'failing', prepare: () => Promise.reject(new Error('no')) };
    await expect(createTestDatabase(failing)).rejects.toThrow('no');
    const mended = { name: 'failing', prepare: (url: string) => runOn(url, 'CREATE TABLE here ()') };
    const database = await createTestDatabase(mended);
    databases.push(database);
    expect(await database.query('SELECT count(*)::int FROM here')).toEqual([{ count: 0 }]);
  });

  it('drops a database under its users', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await database.drop();
    await expect(ended).resolves.toMatchObject({ code: '57P01' });
  });
});
