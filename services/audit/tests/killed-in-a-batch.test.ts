import { readFile, writeFile } from 'node:fs/promises';
import { parseCheckpoint, verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';
import { spawnAudit } from './spawn-audit.ts';

const gate = 4_711;

/** Steps of a batch at which a process is stopped by a trigger that waits, and then killed. */
const steps: readonly (readonly [step: string, trigger: string])[] = [
  ['before the records are stored', 'TRIGGER gate BEFORE INSERT ON audit.records FOR EACH STATEMENT'],
  ['before the nodes are stored', 'TRIGGER gate BEFORE INSERT ON audit.nodes FOR EACH STATEMENT'],
  ['before the head is replaced', 'TRIGGER gate BEFORE UPDATE ON audit.tree_head FOR EACH STATEMENT'],
  ['after the head was replaced', 'TRIGGER gate AFTER UPDATE ON audit.tree_head FOR EACH STATEMENT'],
  [
    'in the commit, which PostgreSQL completes',
    'CONSTRAINT TRIGGER gate AFTER UPDATE ON audit.tree_head DEFERRABLE INITIALLY DEFERRED FOR EACH ROW',
  ],
];

it.each(steps)('an honest log is not blamed for a process that is killed %s', async (_step, trigger) => {
  await using rig = await createAuditRig();
  await using _relay = rig.startRelay();
  const { db } = rig.record;
  const memory = `${rig.signingKeyFile}.checkpoint`;
  const victim = await spawnAudit(rig.env);
  await rig.send(someEvents(40, 'before'));
  await rig.recorded();
  await expect.poll(async () => (await readFile(memory, 'utf8')).split('\n')[1]).toBe('40');
  const remembered = await readFile(memory, 'utf8');

  await db.raw(`
    CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${gate}); RETURN NEW; END $$;
    CREATE ${trigger} EXECUTE FUNCTION public.wait_at_gate()`);
  await db.transaction(async (trx) => {
    await trx.raw(`SELECT pg_advisory_xact_lock(${gate})`);
    await rig.send(someEvents(500, 'during'));
    const waiting = () =>
      db('pg_locks').where({ locktype: 'advisory', objid: gate, granted: false }).first<object | undefined>('pid');
    await waitFor(waiting, { what: 'a batch at the gate' });
    await victim.kill();
  });
  await db.raw('DROP FUNCTION public.wait_at_gate CASCADE');
  // The process was killed before it could remember what may be committed.
  await writeFile(memory, remembered);

  await using next = await rig.start();
  await rig.send(someEvents(3, 'after'));
  await rig.recorded(30_000);
  expect(await rig.record.verify()).toMatchObject({ intact: true, records: 543 });
  const answer = await next.client.get('/platform-application/api/v1/audit/export', { bearer: rig.token('Auditors') });
  async function* lines() {
    yield* answer.text.trimEnd().split('\n');
  }
  const outcome = await verifyAuditLog({ lines: lines(), kept: [parseCheckpoint(remembered)] });
  expect(outcome).toMatchObject({ records: 543, findings: [] });
  const [counted] = await db('audit.records').countDistinct<{ count: string }[]>('entity_name');
  expect(counted?.count).toBe('543');
});
