import { parseCheckpoint, verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { startDurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';
import { spawnAudit } from './spawn-audit.ts';

const eventsOfBurst = 120;

/**
 * Clients that go on while the service is away, Redis loses its memory, PostgreSQL ends all connections or crashes, and
 * writers are killed. How long the service is away makes no difference: events wait in PostgreSQL, and nothing is done
 * about them meanwhile.
 */
it('records every operation once while writers are killed, Redis is flushed and PostgreSQL crashes', async () => {
  await using postgres = await startDurablePostgres();
  await using rig = await createAuditRig({ postgres });
  await using _relay = rig.startRelay();
  const { db } = rig.record;
  /** An event is in the outbox, and then in the audit log. */
  const isSent = async (name: string): Promise<boolean> => {
    const { rows } = await db.raw<{ rows: object[] }>(
      `SELECT FROM outbox.events WHERE payload ->> 'entityName' = :name
       UNION ALL SELECT FROM audit.records WHERE left(entity_name, 100) = :name`,
      { name },
    );
    return rows.length > 0;
  };
  let sent = 0;
  const stopping = new AbortController();
  const sendBurst = async (): Promise<void> => {
    const events = someEvents(eventsOfBurst, `burst${sent}`);
    const name = existing(events[0]).payload.entityName;
    for (let done = false; !done;) {
      const failed = await rig.send(events).then(
        () => false,
        () => true,
      );
      // Its operation may have happened: a client that got no answer looks before it tries again.
      done = !failed || (await waitFor(async () => ({ found: await isSent(name) }), { what: 'PostgreSQL' })).found;
    }
    sent += eventsOfBurst;
  };
  const load = (async () => {
    while (!stopping.signal.aborted) await sendBurst();
  })();
  const untilSent = (count: number) => expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThan(count);
  const dropConnections = () =>
    db.raw(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  const crash = async (): Promise<void> => {
    await postgres.kill();
    await postgres.restart();
  };

  const one = await spawnAudit(rig.env);
  const other = await spawnAudit(rig.env);
  await untilSent(sent + 1_000);
  const kept = parseCheckpoint((await db('audit.tree_head').first<{ checkpoint: string }>('checkpoint')).checkpoint);
  await one.kill();
  await rig.redis.flush();
  await untilSent(sent + 1_000);
  await dropConnections();
  await untilSent(sent + 1_000);
  // The only writer goes on with a database that has forgotten what was not committed.
  await crash();
  await untilSent(sent + 1_000);
  // Nothing records now, but clients go on.
  await other.kill();
  await untilSent(sent + 2_000);
  await using next = await rig.start();
  await using _second = await rig.start();
  await untilSent(sent + 1_000);
  await rig.redis.flush();
  await crash();
  await untilSent(sent + 1_000);
  stopping.abort();
  await load;
  await rig.recorded(90_000);

  expect(await rig.record.verify()).toMatchObject({ intact: true, records: sent });
  const [names] = await db('audit.records').countDistinct<{ count: string }[]>('entity_name');
  expect(names?.count).toBe(String(sent));
  const answer = await next.client.get('/platform-application/api/v1/audit/export', { bearer: rig.token('Auditors') });
  async function* lines() {
    yield* answer.text.trimEnd().split('\n');
  }
  expect(await verifyAuditLog({ lines: lines(), kept: [kept] })).toMatchObject({ records: sent, findings: [] });
});
