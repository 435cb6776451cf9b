import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { someEvents } from './memory-record.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';

const pace = { intervalMs: 0, maxRecords: 4 };

const tables = ['records', 'digests', 'head'];
let rig: RecordRig;

/** Ten records, the first eight under digests of four; and a copy of it all. */
beforeAll(async () => {
  rig = await createRecordRig();
  await rig.append(someEvents(8));
  while (await rig.digest(pace));
  await rig.append(someEvents(2, 'later'));
  for (const table of tables) await rig.db.raw(`CREATE TABLE untouched_${table} AS TABLE audit.${table}`);
});
afterAll(() => rig[Symbol.asyncDispose]());

async function restore(): Promise<void> {
  const statements = tables.map(
    (table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE untouched_${table}`,
  );
  await rig.tamper(statements.join(';'));
}

const columns = [
  ['id', 'gen_random_uuid()'],
  ['correlation_id', 'gen_random_uuid()'],
  ['cluster_id', "'MANAGER'"],
  ['node_id', "'peer9'"],
  ['module', "'manager9 AUDIT'"],
  ['audit_code', "'AUD0099A'"],
  ['audit_operation', "'DELETE'"],
  ['dataone_user', "'mallory'"],
  ['entity_type', "'Folder'"],
  ['entity_name', "'/etc/passwd'"],
  ['entity_id', "'0'"],
  ['audit_message', "'nothing happened'"],
  ['audit_time', "audit_time + interval '1 millisecond'"],
  ['dfiid', "'somebody else'"],
  ['salt', "'\\x00'"],
  ['previous_hash', "sha256('')"],
  ['hash', "sha256('')"],
] as const;

const tamperings: readonly (readonly [name: string, sql: string, findings: readonly string[]])[] = [
  ['a deletion', 'DELETE FROM audit.records WHERE sequence = 3', ['records_missing 3', 'digest_mismatch 1']],
  [
    'a deletion with the numbers closed up',
    `DELETE FROM audit.records WHERE sequence = 9;
     UPDATE audit.records SET sequence = 9 WHERE sequence = 10`,
    ['record_altered 9', 'tail_missing 10'],
  ],
  [
    'an insertion at the end',
    `INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
       dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, salt, previous_hash, hash)
     SELECT 11, gen_random_uuid(), id, cluster_id, node_id, module, audit_code, audit_operation,
       dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, salt, hash, sha256('x')
     FROM audit.records WHERE sequence = 10`,
    ['record_altered 11', 'tail_unknown 11'],
  ],
  [
    'a swap',
    `UPDATE audit.records SET sequence = 104 WHERE sequence = 4;
     UPDATE audit.records SET sequence = 4 WHERE sequence = 5;
     UPDATE audit.records SET sequence = 5 WHERE sequence = 104`,
    ['record_altered 4', 'record_altered 5', 'link_broken 4', 'digest_mismatch 1', 'digest_mismatch 2'],
  ],
  ['a truncated tail', 'DELETE FROM audit.records WHERE sequence > 8', ['tail_missing 9']],
  [
    'a truncated tail with a head to match',
    `DELETE FROM audit.records WHERE sequence = 10;
     UPDATE audit.head SET sequence = 9,
       record_id = (SELECT id FROM audit.records WHERE sequence = 9),
       record_hash = (SELECT hash FROM audit.records WHERE sequence = 9)`,
    ['head_altered 9'],
  ],
  ['an emptied table', 'TRUNCATE audit.records', ['tail_missing 1', 'digest_mismatch 1', 'digest_mismatch 2']],
  ['a lost head', 'DELETE FROM audit.head', ['head_missing 10']],
  ['a deleted digest', 'DELETE FROM audit.digests WHERE number = 1', ['digests_missing 1']],
  ['a deleted last digest', 'DELETE FROM audit.digests WHERE number = 2', ['digests_missing 1']],
  ['an edited digest', "UPDATE audit.digests SET merkle_root = sha256('') WHERE number = 2", ['digest_altered 2']],
];

describe('verification of the stored record', () => {
  afterEach(restore);

  it('has no findings if nothing was changed', async () => {
    expect(await rig.verify()).toMatchObject({ intact: true, records: 10, digests: 2, lastSequence: 10 });
  });

  it.each(columns)('finds an edit of %s', async (column, value) => {
    await rig.tamper(`UPDATE audit.records SET ${column} = ${value} WHERE sequence = 3`);
    const { intact, findings } = await rig.verify();
    expect(intact).toBe(false);
    expect(findings.map(({ kind, sequence }) => `${kind} ${sequence}`)).toContain('record_altered 3');
  });

  it.each(tamperings)('finds %s', async (_name, sql, expected) => {
    await rig.tamper(sql);
    const { intact, findings } = await rig.verify();
    expect(intact).toBe(false);
    expect(findings.map(({ kind, sequence }) => `${kind} ${sequence}`)).toEqual(expect.arrayContaining([...expected]));
  });
});

describe('the stored record', () => {
  it.each([
    "UPDATE audit.records SET dataone_user = 'mallory'",
    'DELETE FROM audit.records WHERE sequence = 1',
    'TRUNCATE audit.records',
    "UPDATE audit.digests SET signature = ''",
    'DELETE FROM audit.digests',
    'TRUNCATE audit.digests',
    'UPDATE audit.head SET sequence = sequence - 1',
    'UPDATE audit.head SET digest_number = 0',
    'DELETE FROM audit.head',
    'TRUNCATE audit.head',
  ])('refuses %s', async (sql) => {
    await expect(rig.db.raw(sql)).rejects.toThrow('the audit record is append-only');
    expect(await rig.verify()).toMatchObject({ intact: true, records: 10 });
  });

  it('is verified in a snapshot, while it grows', async () => {
    const events = Array.from({ length: 20 }, () => someEvents(5));
    const appends = (async () => {
      for (const batch of events) await rig.append(batch);
    })();
    for (let round = 0; round < 5; round += 1) expect(await rig.verify()).toMatchObject({ intact: true });
    await appends;
    expect(await rig.verify()).toMatchObject({ intact: true, records: 110 });
  });

  it('is not trusted if a number occurs twice, which needs the loss of its unique indexes', async () => {
    await rig.tamper(`
      ALTER TABLE audit.records DROP CONSTRAINT records_pkey, DROP CONSTRAINT records_id_key,
        DROP CONSTRAINT records_correlation_id_key;
      INSERT INTO audit.records SELECT * FROM audit.records WHERE sequence = 3`);
    const { findings } = await rig.verify();
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'sequence_repeated', sequence: 3 }));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'digest_mismatch', sequence: 1 }));
  });
});
