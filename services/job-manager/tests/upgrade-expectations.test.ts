import { directorySchema } from '@waybill/directory/directory-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { expect, it } from 'vitest';
import { createKnexExpectations } from '../src/adapters/expectations/knex-expectations.ts';
import { jobsSchema } from '../src/jobs-schema.ts';
import { testSite } from './start-test-platform.ts';

const before = { ...jobsSchema, migrations: jobsSchema.migrations.filter(({ name }) => name < '0023') };

it('what came of expectations before an upgrade belongs to the actor of the present contract', async () => {
  await using database = await createTestDatabase();
  const db = connectPostgres({ url: database.url, applicationName: 'test' });
  try {
    for (const schema of [directorySchema, outboxSchema, before]) await migrate(db, schema);
    await database.query(`
      INSERT INTO directory.actors (name, definition) VALUES ('acme', '{}'), ('globex', '{}');
      INSERT INTO directory.job_queues (name, status, priority, parallelism, definition) VALUES ('q', 'RUNNING', 1, 1, '{}');
      INSERT INTO directory.contracts (actor_id, name, type, enabled, queue_id, definition)
        SELECT a.id, 'orders', 'Input', true, q.id, '{}' FROM directory.actors a, directory.job_queues q WHERE a.name = 'acme';
      INSERT INTO jobs.expectations
        (contract, expectation, definition, vfs_id, first_due_at, next_due_at, next_deadline_at)
        SELECT contract, 'daily', '{}', '1', now(), now(), now() FROM unnest(ARRAY['orders', 'removed']) AS contract;
      INSERT INTO jobs.expectation_states (contract, expectation, kind, state, due_at, deadline_at, changed_at)
        SELECT contract, 'daily', 'due', state, now() + CAST(n || ' days' AS interval), now(), now()
        FROM unnest(ARRAY['orders', 'orders', 'removed', 'removed'], ARRAY['met', 'pending', 'met', 'pending'])
          WITH ORDINALITY AS old (contract, state, n)`);
    await migrate(db, jobsSchema);

    const expectations = createKnexExpectations(db, testSite);
    const seenBy = async (actors?: readonly string[]) =>
      (await expectations.list({ limit: 10, actors })).states.map(({ contract, state }) => `${contract} ${state}`);
    expect(await seenBy(['acme'])).toEqual(['orders pending', 'orders met']);
    expect(await seenBy(['globex'])).toEqual([]);
    expect(await seenBy()).toEqual(['removed met', 'orders pending', 'orders met']);
    expect(await database.query('SELECT contract FROM jobs.expectations')).toEqual([{ contract: 'orders' }]);
  } finally {
    await db.destroy();
  }
});
