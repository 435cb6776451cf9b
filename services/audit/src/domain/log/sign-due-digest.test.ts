import { describe, expect, it } from 'vitest';
import { createMemoryRecord, someEvents } from '../../../tests/memory-record.ts';

const pace = { intervalMs: 60_000, maxRecords: 4 };
const start = Date.parse('2026-03-14T09:00:00Z');
const after = (seconds: number) => new Date(start + seconds * 1_000);

describe('signDueDigest', () => {
  it('signs nothing while there is nothing new', async () => {
    const record = createMemoryRecord();
    expect(await record.digest(pace, after(0))).toBeUndefined();
    await record.append(someEvents(1));
    expect(await record.digest(pace, after(0))).toMatchObject({ number: 1, firstSequence: 1, lastSequence: 1 });
    expect(await record.digest(pace, after(999))).toBeUndefined();
  });

  it('waits for its interval, or for enough records', async () => {
    const record = createMemoryRecord();
    const events = someEvents(8);
    await record.append(events.slice(0, 1));
    await record.digest(pace, after(0));
    await record.append(events.slice(1, 4));
    expect(await record.digest(pace, after(59))).toBeUndefined();
    expect(await record.digest(pace, after(60))).toMatchObject({ number: 2, firstSequence: 2, lastSequence: 4 });
    await record.append(events.slice(4));
    expect(await record.digest(pace, after(61))).toMatchObject({ number: 3, firstSequence: 5, lastSequence: 8 });
  });

  it('covers no more than its limit at once, and every record in turn', async () => {
    const record = createMemoryRecord();
    await record.append(someEvents(10));
    const eager = { ...pace, intervalMs: 0 };
    const ranges: string[] = [];
    for (let digest = await record.digest(eager); digest; digest = await record.digest(eager)) {
      ranges.push(`${digest.firstSequence}-${digest.lastSequence}`);
    }
    expect(ranges).toEqual(['1-4', '5-8', '9-10']);
    expect(await record.verify()).toMatchObject({ intact: true, digests: 3 });
  });

  it('vouches for nothing when records are missing', async () => {
    const record = createMemoryRecord();
    await record.append(someEvents(3));
    record.state.records.splice(1, 1);
    await expect(record.digest(pace, after(0))).rejects.toThrow('are missing');
    expect(record.state.digests).toEqual([]);
  });
});
