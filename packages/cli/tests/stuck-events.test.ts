import { randomUUID } from 'node:crypto';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

const resources = new AsyncDisposableStack();
let env: Record<string, string>;
let db: Database;

async function waybill(...args: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await runCommandLine(args, { env, out: (line) => lines.push(line), err: (line) => errors.push(line) });
  return { code, out: lines, err: errors };
}

const event = (attempts: number, due: string, error: string) => ({
  id: randomUUID(),
  topic: 'audit-event',
  payload: { secret: 'not shown' },
  attempts,
  next_attempt_at: due,
  created_at: '2026-03-14T09:26:53.589Z',
  last_error: error,
});

beforeAll(async () => {
  const database = resources.use(await createTestDatabase());
  env = { DATABASE_URL: database.url, DATABASE_PASSWORD_OPERATOR: testRoles.passwords.operator };
  await waybill('migrate');
  env = { DATABASE_URL: urlAs('operator', database.url) };
  db = connectPostgres({ url: database.url, applicationName: 'cli test' });
  resources.defer(() => db.destroy());
});
afterAll(() => resources.disposeAsync());

it('lists the events that were set aside, and puts them back, as the operator', async () => {
  expect(await waybill('audit', 'stuck')).toEqual({ code: 0, out: ['No events are stuck.'], err: [] });
  const stuck = event(20, 'infinity', 'a column is\nmissing');
  await db('outbox.events').insert([stuck, event(3, '2126-03-14T09:26:53.589Z', 'tried later')]);
  const line = `${stuck.id}  audit-event  since 2026-03-14T09:26:53.589Z  20 tries: a column is missing`;
  expect(await waybill('audit', 'stuck')).toEqual({ code: 0, out: [line], err: [] });
  const { out: json } = await waybill('audit', 'stuck', '--json');
  expect(json.map((text): unknown => JSON.parse(text))).toEqual([
    {
      id: stuck.id,
      topic: 'audit-event',
      tries: 20,
      lastError: 'a column is\nmissing',
      since: '2026-03-14T09:26:53.589Z',
    },
  ]);
  const retried = await waybill('audit', 'stuck', '--retry');
  expect(retried).toEqual({ code: 0, out: [line, '1 events will be tried again.'], err: [] });
  expect(await waybill('audit', 'stuck')).toMatchObject({ out: ['No events are stuck.'] });
  const rows = await db('outbox.events').orderBy('attempts').orderBy('created_at').select('id', 'attempts', 'payload');
  const record = {
    auditCode: 'AUD0123A',
    auditMessage: expect.stringMatching(/ has made 1 events due that were set aside$/u),
  };
  expect(rows).toEqual([
    expect.objectContaining({ id: stuck.id, attempts: 0 }),
    expect.objectContaining({ attempts: 0, payload: expect.objectContaining(record) }),
    expect.objectContaining({ attempts: 3 }),
  ]);
  expect(await waybill('audit', 'stuck', '--retry')).toMatchObject({ out: ['0 events will be tried again.'] });
  expect(await db('outbox.events')).toHaveLength(3);
  expect((await waybill('audit', 'stuck', '--all')).code).toBe(2);
});
