import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { rollBackAfter } from '@waybill/postgres/roll-back-after';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { withClient } from '@waybill/service-kit/telemetry/correlation';
import { expect, test } from 'vitest';
import { appendSelected, appendSelectedSql } from '../src/append-selected-sql.ts';
import { appendToOutbox } from '../src/append-to-outbox.ts';
import { appendWithChange, prepareChange } from '../src/append-with-change.ts';
import { auditMessage, createOutboxRig } from './outbox-rig.ts';

type Rig = Awaited<ReturnType<typeof createOutboxRig>>;

const payloadsOf = ({ db }: Rig) => db('outbox.events').orderBy('id').pluck<AuditEvent[]>('payload');
const producersOf = async (rig: Rig) => (await payloadsOf(rig)).map(({ producer }) => producer);
const appending = prepareStatement(
  'append selected',
  `WITH told AS (${appendSelectedSql('SELECT to_jsonb(given) AS payload FROM (SELECT generate_series(1, CAST(:rows AS int)) AS of) AS given')})
   SELECT 1 / CAST(:divisor AS int)`,
);

test('the events of a pool are numbered, whatever statement or transaction appends them', async () => {
  await using rig = await createOutboxRig();
  await appendToOutbox(rig.db, [auditMessage('one'), auditMessage('two')]);
  await rig.db.transaction((trx) => appendToOutbox(trx, [auditMessage('three')]));
  const statement = prepareChange('numbered insert', 'INSERT INTO effects (entity) VALUES (:entity)');
  await appendWithChange(rig.db, { statement, bindings: { entity: 'x' } }, [auditMessage('four')]);
  const producers = await producersOf(rig);
  expect(producers.map((producer) => [producer?.number, producer?.settled])).toEqual([
    [1, 0],
    [2, 0],
    [3, 2],
    [4, 3],
  ]);
  const ids = new Set(producers.map((producer) => producer?.id));
  expect([...ids]).toEqual([expect.stringMatching(/^outbox test\/n\/[\w-]{16}$/u)]);
});

test('numbers of transactions that fail are voided by the next event, and none is missing', async () => {
  await using rig = await createOutboxRig();
  const broken = rig.db.transaction(async (trx) => {
    await appendToOutbox(trx, [auditMessage('never')]);
    throw new Error('rolled back');
  });
  await expect(broken).rejects.toThrow('rolled back');
  await rollBackAfter(rig.db, (trx) => appendToOutbox(trx, [auditMessage('never')]));
  const sql = 'INSERT INTO effects (event_id) VALUES (CAST(:eventId AS uuid))';
  const change = { statement: prepareChange('numbered failure', sql), bindings: { eventId: 'no uuid' } };
  await expect(appendWithChange(rig.db, change, [auditMessage('never')])).rejects.toThrow('uuid');
  const demanding = prepareChange('numbered nothing', 'DELETE FROM effects', { onlyIfMade: true });
  await appendWithChange(rig.db, { statement: demanding, bindings: {} }, [auditMessage('never')]);
  await appendToOutbox(rig.db, [auditMessage('once')]);
  expect(await producersOf(rig)).toEqual([{ id: expect.any(String), number: 5, settled: 4, voided: [1, 2, 3, 4] }]);
});

test('events that a statement selects are numbered in their order; numbers that it does not need are voided', async () => {
  await using rig = await createOutboxRig();
  const append = (atMost: number, bindings: { rows: number; divisor: number }) =>
    appendSelected(rig.db, { atMost, nodeId: 'n' }, async (given) => {
      await runPrepared(rig.db, appending, { ...bindings, ...given });
      return { result: undefined, appended: bindings.rows };
    });
  await append(3, { rows: 2, divisor: 1 });
  await expect(append(2, { rows: 2, divisor: 0 })).rejects.toThrow('division');
  await append(1, { rows: 1, divisor: 1 });
  expect((await producersOf(rig)).map((producer) => producer?.number)).toEqual([1, 2, 6]);
  expect((await producersOf(rig)).at(-1)).toMatchObject({ settled: 5, voided: [3, 4, 5] });
});

test('concurrent transactions do not wait for each other', async () => {
  await using rig = await createOutboxRig();
  await rig.db.transaction(async (slow) => {
    await appendToOutbox(slow, [auditMessage('slow')]);
    await appendToOutbox(rig.db, [auditMessage('fast')]);
    await appendToOutbox(rig.db, [auditMessage('faster')]);
    expect((await producersOf(rig)).map((producer) => producer?.settled)).toEqual([0, 0]);
  });
  await appendToOutbox(rig.db, [auditMessage('last')]);
  expect((await producersOf(rig)).map((producer) => producer?.settled)).toEqual([0, 0, 0, 3]);
});

test('an event names the client of the present request, unless it names its own', async () => {
  await using rig = await createOutboxRig();
  await withClient({ address: '192.0.2.1', port: 7, client: 'curl/8' }, () =>
    appendToOutbox(rig.db, [auditMessage('plain', { reason: 'why' }), auditMessage('own', { address: '192.0.2.2' })]),
  );
  await appendToOutbox(rig.db, [auditMessage('without')]);
  expect((await payloadsOf(rig)).map(({ context }) => context)).toEqual([
    { address: '192.0.2.1', port: 7, client: 'curl/8', reason: 'why' },
    { address: '192.0.2.2' },
    undefined,
  ]);
});
