import { verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexRecordLog } from '../src/adapters/knex-record-log.ts';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { createLogReader } from '../src/domain/reading/log-reader.ts';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

let rig: RecordRig;

beforeEach(async () => {
  rig = await createRecordRig();
});
afterEach(() => rig[Symbol.asyncDispose]());

const messages = async () => (await rig.verify()).findings.map(({ kind, message }) => `${kind}: ${message}`);

/** What an auditor finds in an export of now. */
async function exported() {
  const reader = createLogReader(createKnexStoredLog(rig.db), rig);
  async function* lines() {
    let text = '';
    for await (const part of (await reader.openExport()).lines()) text += part;
    yield* text.trimEnd().split('\n');
  }
  const { findings, late } = await verifyAuditLog({ lines: lines() });
  return { findings: findings.map(({ kind, sequence }) => `${kind} ${sequence}`), late };
}

const keepInOutbox = (events: readonly IdentifiedEvent[]) =>
  rig.db('outbox.events').insert(events.map(({ id, payload }) => ({ id, topic: 'audit-event', payload })));

/** As the service does: in one transaction. */
async function record(events: readonly IdentifiedEvent[]): Promise<void> {
  const outcome = await rig.db.transaction(async (trx) => {
    await trx('outbox.events')
      .whereIn(
        'id',
        events.map(({ id }) => id),
      )
      .delete();
    return rig.writer.append(createKnexRecordLog(trx), events);
  });
  outcome.remember();
}

/** Somebody with all privileges and the signing key writes the log again, and replaces what is remembered. */
async function rewrite(events: readonly (readonly IdentifiedEvent[])[]): Promise<void> {
  await rig.tamper('TRUNCATE audit.records, audit.nodes, audit.tree_head, audit.log_keys');
  rig.memory.note = undefined;
  const append = rig.createWriter();
  for (const batch of events) await append(batch);
}

const producerOf = (events: readonly IdentifiedEvent[]): string => events[0]?.payload.producer?.id ?? '';

describe('a log that somebody with the signing key wrote again', () => {
  it('shows the number of a deleted record', async () => {
    const events = someEvents(60);
    await rewrite([events.slice(0, 20), events.slice(20)]);
    expect(await messages()).toEqual([]);
    await rewrite([events.slice(0, 20), events.slice(20).filter((_, index) => index !== 21)]);
    expect(await messages()).toEqual([
      `producer_gap: Number 42 missing from producer ${producerOf(events)} between 41 and 43`,
    ]);
    expect(await exported()).toEqual({ findings: ['producer_gap 42'], late: [] });
  });

  it('shows records of a session that were swapped, in one range and across two', async () => {
    const events = someEvents(60);
    await rewrite([[...events.slice(0, 30), ...events.slice(31, 32), ...events.slice(30, 31), ...events.slice(32)]]);
    expect(await messages()).toEqual([
      `producer_reversed: Record 32 has number 31 of producer ${producerOf(events)}, after 32 in the same batch`,
    ]);
    expect(await exported()).toEqual({ findings: ['producer_reversed 32'], late: [] });
    const many = someEvents(4_200);
    await rewrite([
      [...many.slice(0, 4_095), ...many.slice(4_096, 4_097), ...many.slice(4_095, 4_096), ...many.slice(4_097)],
    ]);
    expect(await rig.findings()).toEqual(['producer_reversed 4097']);
    expect(await exported()).toEqual({ findings: ['producer_reversed 4097'], late: [] });
  });
});

describe('an honest log', () => {
  it('is not blamed for an event that is still in the outbox, and auditors are told of it', async () => {
    const events = someEvents(60);
    const [late] = events.splice(41, 1);
    if (!late) throw new Error('no event');
    await keepInOutbox([late]);
    await rig.append(events);
    expect(await messages()).toEqual([]);
    expect(await exported()).toEqual({ findings: [], late: [`42 to 42 of producer ${producerOf(events)}`] });
    // Without its event in the outbox, it was lost.
    await rig.db('outbox.events').delete();
    expect(await rig.findings()).toEqual(['producer_gap 42']);
    await rig.append([late]);
    expect(await messages()).toEqual([]);
    expect(await exported()).toEqual({ findings: [], late: [] });
  });

  it('is not blamed for a number that an event in the outbox voids', async () => {
    const events = someEvents(60);
    const [, late] = events.splice(40, 2);
    if (!late?.payload.producer) throw new Error('no event');
    const producer = { ...late.payload.producer, voided: [41] };
    const voiding = { ...late, payload: { ...late.payload, producer } };
    await keepInOutbox([voiding]);
    await rig.append(events);
    expect(await messages()).toEqual([]);
    expect(await exported()).toEqual({ findings: [], late: [`41 to 42 of producer ${producerOf(events)}`] });
    await record([voiding]);
    expect(await messages()).toEqual([]);
    expect(await exported()).toEqual({ findings: [], late: [] });
  });

  it('is not blamed for events that leave the outbox while it is verified', async () => {
    await rig.append(someEvents(1));
    const written = (async () => {
      for (let round = 0; round < 25; round += 1) {
        const events = someEvents(40, `round ${round}`);
        await keepInOutbox(events.slice(0, 20));
        await rig.append(events.slice(20));
        await record(events.slice(0, 20));
      }
    })();
    const isDone = written.then(() => true);
    do {
      expect(await messages()).toEqual([]);
      expect((await exported()).findings).toEqual([]);
    } while (!(await Promise.race([isDone, Promise.resolve(false)])));
    expect(await rig.verify()).toMatchObject({ intact: true, records: 1_001 });
  });

  it('is not blamed for batches of which the later one was stored first, or for a time that two batches share', async () => {
    const events = someEvents(40);
    await Promise.all([rig.append(events.slice(20)), rig.append(events.slice(0, 20))]);
    const singles = someEvents(30).toReversed();
    for (const event of singles) await rig.append([event]);
    expect(await messages()).toEqual([]);
    expect(await exported()).toEqual({ findings: [], late: [] });
    const times = await rig.db('audit.records').distinct('recorded_at');
    expect(times).toHaveLength(32);
  });

  it('is blamed neither for events without numbers, nor for hostile events in the outbox', async () => {
    const events = someEvents(10).toSpliced(4, 1);
    const hostile = [
      null,
      {},
      { producer: 7 },
      { producer: { id: 7, number: 'x' } },
      { producer: { number: 1e300, voided: ['x', null] } },
    ];
    await rig
      .db('outbox.events')
      .insert(hostile.map((payload) => ({ id: uuidV7(), topic: 'audit-event', payload: JSON.stringify(payload) })));
    await rig.append(events.map(({ id, payload: { producer: _producer, ...payload } }) => ({ id, payload })));
    expect(await messages()).toEqual([]);
    await rig.append(someEvents(5).slice(1));
    expect(await rig.findings()).toEqual(['producer_gap 10']);
  });
});
