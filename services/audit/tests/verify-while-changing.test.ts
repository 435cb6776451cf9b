import { expect, it } from 'vitest';
import { checkInThreads } from '../src/adapters/verification/check-in-threads.ts';
import { checkRangesHere, createKnexLogSource } from '../src/adapters/verification/knex-log-source.ts';
import type { CheckedRange } from '../src/domain/verification/log-source.ts';
import { verifyLog } from '../src/domain/verification/verify-log.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

async function verifyInThreads(rig: RecordRig, onRange: (range: CheckedRange) => Promise<void>, signal?: AbortSignal) {
  const check = checkInThreads(rig.db, { url: rig.databaseUrl, applicationName: 'verification test' });
  const source = createKnexLogSource(rig.db, async function* noting(ranges, stop) {
    for await (const range of check(ranges, stop)) {
      await onRange(range);
      yield range;
    }
  });
  const remembered = (await rig.memory.read())?.checkpoint;
  return verifyLog({
    source,
    trusted: rig.trusted,
    remembered,
    now: new Date(),
    signal: signal ?? new AbortController().signal,
  });
}

it('a log that grows while threads verify it is intact, and no snapshot is held', async () => {
  await using rig = await createRecordRig();
  for (let batch = 0; batch < 18; batch += 1) await rig.append(someEvents(2_000, `batch${batch}`));
  let ranges = 0;
  const oldest: (string | null)[] = [];
  const outcome = await verifyInThreads(rig, async () => {
    ranges += 1;
    await rig.append(someEvents(100, `meanwhile${ranges}`));
    const { rows } = await rig.db.raw<{ rows: { xmin: string | null }[] }>(
      "SELECT min(xact_start)::text AS xmin FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
    );
    oldest.push(rows[0]?.xmin ?? null);
  });
  expect(outcome).toMatchObject({ intact: true, records: 36_000, lastSequence: 36_000 });
  expect(ranges).toBe(9);
  expect(oldest.every((start) => start === null)).toBe(true);
  expect(await verifyInThreads(rig, async () => {})).toMatchObject({ intact: true, records: 36_900 });

  // Manipulations are found at the same places as by one thread.
  await rig.tamper("UPDATE audit.records SET entity_name = 'x' WHERE sequence IN (4097, 20000)");
  await rig.tamper('DELETE FROM audit.records WHERE sequence BETWEEN 8193 AND 12288');
  await rig.tamper("UPDATE audit.records SET recorded_at = recorded_at - interval '1 hour' WHERE sequence = 12289");
  const alone = await rig.verify();
  const together = await verifyInThreads(rig, async () => {});
  expect({ ...together, verifiedAt: '' }).toEqual({ ...alone, verifiedAt: '' });
  expect(together.findings.map(({ kind, sequence }) => `${kind} ${sequence}`)).toEqual(
    expect.arrayContaining(['record_altered 4097', 'record_altered 20000', 'records_missing 8193']),
  );
});

it('a verification in threads ends when it is aborted', async () => {
  await using rig = await createRecordRig();
  for (let batch = 0; batch < 18; batch += 1) await rig.append(someEvents(2_000, `batch${batch}`));
  const stop = new AbortController();
  const verified = verifyInThreads(rig, async () => stop.abort(new Error('enough')), stop.signal);
  await expect(verified).rejects.toThrow('enough');
  await expect
    .poll(async () => {
      const { rows } = await rig.db.raw<{ rows: object[] }>(
        "SELECT FROM pg_stat_activity WHERE application_name = 'verification test'",
      );
      return rows.length;
    })
    .toBe(0);
});

it('records whose clock went back in small steps over several ranges are found', async () => {
  await using rig = await createRecordRig();
  for (let batch = 0; batch < 5; batch += 1) await rig.append(someEvents(2_000, `batch${batch}`));
  await rig.tamper("UPDATE audit.records SET recorded_at = recorded_at - sequence * interval '20 milliseconds'");
  // Without what is found within each range, only what is found between ranges is left.
  const source = createKnexLogSource(rig.db, async function* between(ranges, signal) {
    for await (const range of checkRangesHere(rig.db)(ranges, signal))
      yield { ...range, findings: [], findingCount: 0 };
  });
  const options = { trusted: rig.trusted, remembered: undefined, now: new Date() };
  const { findings } = await verifyLog({ source, ...options, signal: new AbortController().signal });
  expect(findings.filter(({ kind }) => kind === 'clock_set_back').length).toBe(2);
});
