import { describe, expect, it } from 'vitest';
import { createMemoryRecord, createTestSigner, someEvents } from '../../../tests/memory-record.ts';
import { createTrustedKeys } from '../keys/trusted-keys.ts';
import { appendEvents } from './append-events.ts';

describe('appendEvents', () => {
  it('numbers records from 1 without gaps and ties each to the one before', async () => {
    const record = createMemoryRecord();
    await record.append(someEvents(2, 'a'));
    await record.append(someEvents(3, 'b'));
    const { records } = record.state;
    expect(records.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(records[0]).toMatchObject({
      correlationId: '00000000-0000-0000-0000-000000000000',
      previousHash: '0'.repeat(64),
    });
    for (const [index, { id, hash }] of records.slice(0, -1).entries()) {
      expect(records[index + 1]).toMatchObject({ correlationId: id, previousHash: hash });
    }
    expect(await record.verify()).toMatchObject({ intact: true, records: 5, lastSequence: 5 });
  });

  it('stores an event once, however often it is delivered', async () => {
    const record = createMemoryRecord();
    const events = someEvents(3);
    await record.append(events.slice(0, 2));
    expect(await record.append(events)).toMatchObject({ appended: 1, repeated: 2 });
    expect(await record.append(events)).toMatchObject({ appended: 0, repeated: 3 });
    expect(record.state.records.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(await record.findings()).toEqual([]);
  });

  it('hashes what a database gives back: times in UTC with milliseconds', async () => {
    const record = createMemoryRecord();
    const [event] = someEvents(1);
    await record.append([{ id: event!.id, payload: { ...event!.payload, auditTime: '2026-03-14T09:26:53.123456Z' } }]);
    expect(record.state.records[0]?.auditTime).toBe('2026-03-14T09:26:53.123Z');
  });

  it('appends nothing after a head that was altered', async () => {
    const record = createMemoryRecord();
    const [first, second] = someEvents(2);
    await record.append([first!]);
    record.state.head = { ...record.state.head!, recordHash: 'ab'.repeat(32) };
    await expect(record.append([second!])).rejects.toThrow('was altered');
    expect(record.state.records).toHaveLength(1);
  });

  it('appends nothing after a head that a stranger signed', async () => {
    const stranger = createMemoryRecord();
    const record = createMemoryRecord();
    const [first, second] = someEvents(2);
    await stranger.append([first!]);
    record.state.head = stranger.state.head;
    await expect(record.append([second!])).rejects.toThrow(`was signed by ${stranger.signer.publicKey}`);
  });

  it('appends nothing to records that have lost their head', async () => {
    const record = createMemoryRecord();
    const [first, second] = someEvents(2);
    await record.append([first!]);
    record.state.head = undefined;
    await expect(record.append([second!])).rejects.toThrow('head of the audit log is missing');
  });

  it('continues under a new key if the old one is still trusted', async () => {
    const retired = createMemoryRecord();
    const [first, second] = someEvents(2);
    await retired.append([first!]);
    await retired.digest({ intervalMs: 0, maxRecords: 10 });
    const signer = createTestSigner();
    const record = createMemoryRecord(signer);
    Object.assign(record.state, retired.state);
    const trusted = createTrustedKeys([signer.publicKey, retired.signer.publicKey]);
    await expect(record.append([second!])).rejects.toThrow('not trusted');
    await appendEvents({ log: record.log, events: [second!], signer, trusted });
    expect(await record.findings({ trusted })).toEqual([]);
    expect(await record.findings()).toEqual(['digest_key_unknown 1']);
  });
});
