import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { testRoles, urlAs, type TestRole } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertConnectionBudget } from '../src/assert-connection-budget.ts';
import { connectPostgres } from '../src/connect-postgres.ts';
import type { OwnedSchema } from '../src/migrate.ts';
import { prepareDatabase } from '../src/prepare-database.ts';
import { migrateWithRoles } from '../src/roles/migrate-with-roles.ts';

const schemaOf = (schema: string): OwnedSchema => ({
  schema,
  migrations: [
    { name: '0001_digests', up: async (trx) => void (await trx.raw(`CREATE TABLE ${schema}.digests (id int)`)) },
  ],
});
const audit = schemaOf('audit');
const need = { poolSize: 2, processes: 1, listeners: 1 };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const db = connectPostgres({ url: database.url, applicationName: 'test' });
  await migrateWithRoles(db, [audit], testRoles);
  await db.destroy();
});
afterAll(() => database.drop());

async function prepareAs(url: string, privilegedUser: 'refuse' | 'allow' = 'refuse'): Promise<string[]> {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  await using resources = new AsyncDisposableStack();
  const db = resources.adopt(connectPostgres({ url, applicationName: 'test' }), (pool) => pool.destroy());
  await prepareDatabase({ db, schemas: [audit], privilegedUser, connections: need, logger });
  return lines;
}

describe('a service', () => {
  test('starts as its role, and reports in one sentence how the connections are allocated', async () => {
    const [line = ''] = await prepareAs(urlAs('audit', database.url));
    expect((JSON.parse(line) as { msg: string }).msg).toMatch(
      /^up to 3 database connections for this service and \d+ for others, of \d+$/u,
    );
  });

  test('does not start as a superuser, unless a setting allows it', async () => {
    await expect(prepareAs(database.url)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message:
        'the database user waybill of DATABASE_URL is a superuser: connect as the role of this service, which `waybill migrate` ' +
        'creates, or set DATABASE_PRIVILEGED_USER=allow',
    });
    expect(await prepareAs(database.url, 'allow')).toHaveLength(1);
  });

  test('does not start as a user who may act as the owner, or who may create roles', async () => {
    await expect(prepareAs(urlAs('migrator', database.url))).rejects.toThrow(
      /^the database user waybill_migrator of DATABASE_URL owns audit: /u,
    );
    await database.query("CREATE ROLE test_creator LOGIN CREATEROLE PASSWORD 'x'");
    const url = new URL(database.url);
    [url.username, url.password] = ['test_creator', 'x'];
    await expect(prepareAs(url.toString())).rejects.toThrow(/test_creator of DATABASE_URL may create roles/u);
    await database.query('DROP ROLE test_creator');
  });

  test('is told to migrate if it connects as a role without grants', async () => {
    await expect(prepareAs(urlAs('sftp_gateway', database.url))).rejects.toMatchObject({
      code: 'database_mismatch',
      message: expect.stringMatching(
        /^the user of DATABASE_URL may not use the schemas of this service \(permission denied for schema audit\)/u,
      ),
    });
  });
});

describe('the budget of connections', () => {
  const poolAs = (role: TestRole, declaredConnections?: number) =>
    connectPostgres({
      url: urlAs(role, database.url),
      applicationName: 'waybill test',
      ...(declaredConnections !== undefined && { declaredConnections }),
    });

  test('counts what others have declared, even if they have hardly any open', async () => {
    await using resources = new AsyncDisposableStack();
    const open = (role: TestRole, declared?: number) =>
      resources.adopt(poolAs(role, declared), (pool) => pool.destroy());
    const ours = open('audit', 11);
    const alone = await assertConnectionBudget(ours, { poolSize: 10, processes: 1, listeners: 1 });
    expect(alone.needed).toBe(11);
    // As another role: of its connections ours can see nothing but their names.
    const other = open('http_files', 150);
    await other.raw('SELECT 1');
    const beside = await assertConnectionBudget(ours, { poolSize: 10, processes: 1, listeners: 1 });
    expect(beside.others).toBeGreaterThanOrEqual(150);
    expect(beside.available).toBe(alone.available);
  });

  test('refuses what is beyond it, in one sentence with the figures', async () => {
    await using resources = new AsyncDisposableStack();
    const db = resources.adopt(poolAs('audit'), (pool) => pool.destroy());
    const beyond = assertConnectionBudget(db, { poolSize: 100, processes: 3, listeners: 1 }, { patienceMs: 0 });
    await expect(beyond).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(
        /^DATABASE_POOL_SIZE=100 in 3 processes takes up to 301 database connections, and others take \d+ of the 297 available ones \(max_connections 300, 3 reserved\): lower it, or raise max_connections$/u,
      ),
    });
  });

  test('waits a moment for processes that are being replaced', async () => {
    const leaving = poolAs('http_files', 290);
    await leaving.raw('SELECT 1');
    const db = poolAs('audit');
    let gone = false;
    const checked = assertConnectionBudget(db, { poolSize: 10, processes: 1, listeners: 1 }).then(() => gone);
    // It is not to settle.
    await db.raw('SELECT pg_sleep(0.3)');
    gone = true;
    await leaving.destroy();
    expect(await checked).toBe(true);
    await db.destroy();
  });

  test('ignores names that declare nothing', async () => {
    for (const name of ['x [00000000:99999]', 'x [0000000g:99]', '[00000000:250]'.repeat(9), "'; DROP [ffffffff:-1]"]) {
      const other = connectPostgres({ url: database.url, applicationName: name });
      await other.raw('SELECT 1');
      const db = poolAs('audit');
      const budget = await assertConnectionBudget(db, need);
      expect(budget.others).toBeLessThan(250);
      await db.destroy();
      await other.destroy();
    }
  });
});
