import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryRecord, someEvents, type StoredState } from '../../../tests/memory-record.ts';
import type { ChainedRecord } from '../chain/chained-record.ts';
import { extendChain } from '../chain/extend-chain.ts';
import { hashRecord } from '../chain/hash-record.ts';
import { signHead } from '../chain/signed-head.ts';
import { signDigest } from '../digests/digest.ts';

/** Ten records, the first eight under digests of four. */
async function createRecord() {
  const record = createMemoryRecord();
  await record.append(someEvents(8));
  while (await record.digest({ intervalMs: 0, maxRecords: 4 }));
  await record.append(someEvents(2, 'later'));
  return record;
}

/** What an intruder with the database but without the key can do: hash everything again from a record on. */
function rehash(records: ChainedRecord[], from: number): void {
  for (let index = from; index < records.length; index += 1) {
    const { hash: previousHash = '0'.repeat(64), id: correlationId = '' } = records[index - 1] ?? {};
    const changed = { ...records[index]!, ...(index > 0 && { previousHash, correlationId }), sequence: index + 1 };
    records[index] = { ...changed, hash: hashRecord(changed) };
  }
}

const tamperings: Record<string, [tamper: (state: StoredState) => void, findings: string[]]> = {
  'an edited record': [({ records }) => edit(records, 2), ['record_altered 3']],
  'an edited record with a new hash': [
    ({ records }) => {
      edit(records, 2);
      records[2] = { ...records[2]!, hash: hashRecord(records[2]!) };
    },
    ['link_broken 4', 'digest_mismatch 1'],
  ],
  'an edited record with everything hashed again after it': [
    ({ records }) => {
      edit(records, 5);
      rehash(records, 5);
    },
    ['link_broken 10', 'digest_mismatch 2'],
  ],
  'an edited last record with a new hash': [
    ({ records }) => {
      edit(records, 9);
      rehash(records, 9);
    },
    ['link_broken 10'],
  ],
  'a deleted record': [({ records }) => records.splice(2, 1), ['records_missing 3', 'digest_mismatch 1']],
  'a deleted record with the rest moved up': [
    ({ records }) => {
      records.splice(2, 1);
      rehash(records, 2);
    },
    ['digest_mismatch 1', 'tail_missing 10', 'digest_mismatch 2'],
  ],
  'a deleted first record': [({ records }) => records.splice(0, 1), ['records_missing 1', 'digest_mismatch 1']],
  'an inserted record': [
    ({ records }) => {
      records.splice(3, 0, { ...records[9]!, sequence: 4 });
      rehash(records, 3);
    },
    ['digest_mismatch 1', 'tail_unknown 11', 'digest_mismatch 2'],
  ],
  'a record at a number that is taken': [
    ({ records }) => records.push({ ...records[3]! }),
    ['sequence_repeated 4', 'digest_mismatch 1'],
  ],
  'two swapped records': [
    ({ records }) => {
      const [four, five] = [records[3]!, records[4]!];
      records[3] = { ...five, sequence: 4 };
      records[4] = { ...four, sequence: 5 };
    },
    ['record_altered 4', 'link_broken 4', 'record_altered 5', 'link_broken 5', 'link_broken 6'],
  ],
  'two swapped records with everything hashed again after them': [
    ({ records }) => {
      [records[8], records[9]] = [records[9]!, records[8]!];
      rehash(records, 8);
    },
    ['link_broken 10'],
  ],
  'a truncated tail': [({ records }) => records.splice(8), ['tail_missing 9']],
  'a truncated tail under digests': [({ records }) => records.splice(6), ['tail_missing 7', 'digest_mismatch 2']],
  'an appended record': [
    ({ records }) => records.push({ ...records[9]!, sequence: 11, previousHash: records[9]!.hash }),
    ['record_altered 11', 'link_broken 11', 'tail_unknown 11'],
  ],
  'no records any more': [
    ({ records }) => records.splice(0),
    ['tail_missing 1', 'digest_mismatch 1', 'digest_mismatch 2'],
  ],
  'a missing head': [(state) => (state.head = undefined), ['head_missing 10']],
  'a truncated tail with a head to match': [
    (state) => {
      const last = state.records[8]!;
      state.records.splice(9);
      state.head = { ...state.head!, sequence: 9, recordId: last.id, recordHash: last.hash };
    },
    ['head_altered 9'],
  ],
  'an edited digest': [
    ({ digests }) => (digests[0] = { ...digests[0]!, signedAt: '2020-01-01T00:00:00.000Z' }),
    ['digest_altered 1', 'digest_altered 2'],
  ],
  'a deleted digest': [({ digests }) => digests.splice(0, 1), ['digests_missing 1']],
  'a deleted last digest': [({ digests }) => digests.splice(1, 1), ['digests_missing 1']],
  'swapped digests': [({ digests }) => digests.push(digests.shift()!), ['digests_missing 1']],
};

function edit(records: ChainedRecord[], index: number): void {
  records[index] = { ...records[index]!, dataoneUser: 'mallory' };
}

describe('verifyChain', () => {
  it('finds nothing wrong with an empty record', async () => {
    expect(await createMemoryRecord().verify()).toMatchObject({
      intact: true,
      records: 0,
      digests: 0,
      lastSequence: 0,
    });
  });

  it('has no findings in an unchanged audit log', async () => {
    const record = await createRecord();
    const { sequence: lastSequence, recordHash: lastHash } = record.state.head!;
    expect(await record.verify()).toMatchObject({
      intact: true,
      records: 10,
      digests: 2,
      lastSequence,
      lastHash,
      findings: [],
      findingCount: 0,
    });
  });

  it.each(Object.entries(tamperings))('finds %s', async (_name, [tamper, findings]) => {
    const record = await createRecord();
    tamper(record.state);
    expect(await record.findings()).toEqual(expect.arrayContaining(findings));
    expect((await record.verify()).intact).toBe(false);
  });

  it('finds a change of any field of any record', async () => {
    const record = await createRecord();
    const fields = Object.keys(record.state.records[0]!) as (keyof ChainedRecord)[];
    await fc.assert(
      fc.asyncProperty(fc.nat(9), fc.constantFrom(...fields), async (index, field) => {
        const before = record.state.records[index]!;
        const changed = typeof before[field] === 'number' ? before[field] + 100 : `${before[field] ?? ''}0`;
        record.state.records[index] = { ...before, [field]: changed };
        expect(await record.verify()).toMatchObject({ intact: false });
        record.state.records[index] = before;
      }),
    );
  });

  it('finds a whole record that was forged with another key', async () => {
    const forged = await createRecord();
    const { trusted } = createMemoryRecord();
    expect(await forged.findings({ trusted })).toEqual([
      'digest_key_unknown 1',
      'digest_key_unknown 2',
      'head_key_unknown 10',
    ]);
  });

  it('finds a digest that was forged for records that were replaced', async () => {
    const record = await createRecord();
    const [first, second] = record.state.digests;
    const stranger = createMemoryRecord().signer;
    record.state.digests = [signDigest(first!, stranger), second!];
    expect(await record.findings()).toContain('digest_key_unknown 1');
  });

  it('finds a head that is honestly signed but belongs to a fork', async () => {
    const record = await createRecord();
    const { head, records } = record.state;
    const nine = records[8]!;
    const [fork] = extendChain(
      { ...head!, sequence: 9, recordId: nine.id, recordHash: nine.hash },
      someEvents(1, 'fork'),
    );
    record.state.head = signHead({ ...head!, recordId: fork!.id, recordHash: fork!.hash }, record.signer);
    expect(await record.findings()).toEqual(['link_broken 10']);
  });

  it('counts every finding and lists the first hundred', async () => {
    const record = createMemoryRecord();
    await record.append(someEvents(150));
    record.state.records = record.state.records.map((stored) => ({ ...stored, nodeId: 'elsewhere' }));
    const outcome = await record.verify();
    expect(outcome.findingCount).toBe(150);
    expect(outcome.findings).toHaveLength(100);
  });
});
