import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { createLogReader } from '../src/domain/reading/log-reader.ts';
import { startPythonVerifier } from './python-verifier.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { createTestSigner, someEvents } from './some-events.ts';

const tables = ['records', 'nodes', 'tree_head', 'log_keys'];
let rig: RecordRig;
let remembered: string | undefined;
let folder: TestFolder;
const python = startPythonVerifier();

/** 600 records in several batches, and a copy of it all. */
beforeAll(async () => {
  [rig, folder] = await Promise.all([createRecordRig(), createTestFolder()]);
  for (const count of [300, 1, 250, 49]) await rig.append(someEvents(count, `batch of ${count}`));
  for (const table of tables) await rig.db.raw(`CREATE TABLE untouched_${table} AS TABLE audit.${table}`);
  remembered = rig.memory.note;
});
afterAll(async () => {
  python.end();
  await folder.remove();
  await rig[Symbol.asyncDispose]();
});

async function restore(): Promise<void> {
  const statements = tables.map(
    (table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE untouched_${table}`,
  );
  await rig.tamper(statements.join(';'));
  rig.memory.note = remembered;
}

/** What both verifiers of auditors find in an export. */
async function findingsOfAuditors(): Promise<readonly [string[], unknown]> {
  let text = '';
  const reader = createLogReader(createKnexStoredLog(rig.db), rig);
  for await (const part of (await reader.openExport()).lines()) text += part;
  const keys = (await reader.keys()).map(({ key }) => key);
  async function* lines() {
    yield* text.trimEnd().split('\n');
  }
  const { findings } = await verifyAuditLog({ lines: lines(), keys });
  const file = path.join(folder.path, 'export.ndjson');
  await writeFile(file, text);
  return [
    findings.map(({ kind, sequence }) => `${kind} ${sequence}`).toSorted(),
    await python.verify({ export: file, keys, kept: [] }),
  ];
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
  ['entity_id', "'x'"],
  ['audit_message', "'nothing happened'"],
  ['audit_time', "audit_time + interval '1 millisecond'"],
  ['recorded_at', "recorded_at - interval '1 millisecond'"],
  ['dfiid', "'somebody else'"],
  ['address', "'203.0.113.9'"],
  ['virtual_file_system', 'NULL'],
  ['context', `'{"port":50001}'`],
  ['context', `context || '{"outcome":"success"}'`],
  ['context', `context || '{"dataoneUser":"mallory"}'`],
  ['producer_id', "'sftp-gateway/peer1/other'"],
  ['producer_id', 'NULL'],
  ['producer_number', '99'],
  ['producer_settled', 'producer_settled + 1'],
  ['producer_voided', "'[1]'"],
  ['salt', "'\\x00'"],
  ['salt', 'NULL'],
  ['commitments', `'{"dataoneUser":"00"}'`],
  ['commitments', `'{"reason":"00"}'`],
  ['previous_hash', "sha256('')"],
  ['hash', "sha256('')"],
] as const;

const insertion = (sequence: number, hash: string) => `
  INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
    dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, recorded_at, salt, hash)
  SELECT ${sequence}, gen_random_uuid(), gen_random_uuid(), cluster_id, node_id, module, audit_code, audit_operation,
    dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, recorded_at, salt, ${hash}
  FROM audit.records WHERE sequence = 600`;

const tamperings: readonly (readonly [name: string, sql: string, findings: readonly string[]])[] = [
  ['a deletion', 'DELETE FROM audit.records WHERE sequence = 3', ['records_missing 3', 'records_mismatch 1']],
  [
    'a deletion with the numbers closed up',
    `DELETE FROM audit.records WHERE sequence = 599;
     UPDATE audit.records SET sequence = 599 WHERE sequence = 600`,
    ['record_altered 599', 'link_broken 599', 'tail_missing 600'],
  ],
  ['an insertion at the end', insertion(601, "sha256('x')"), ['record_altered 601', 'tail_unknown 601']],
  [
    'a swap',
    `UPDATE audit.records SET sequence = 1004 WHERE sequence = 4;
     UPDATE audit.records SET sequence = 4 WHERE sequence = 5;
     UPDATE audit.records SET sequence = 5 WHERE sequence = 1004`,
    ['record_altered 4', 'record_altered 5', 'link_broken 4', 'records_mismatch 1'],
  ],
  ['a truncated tail', 'DELETE FROM audit.records WHERE sequence > 590', ['tail_missing 591']],
  ['an emptied table', 'TRUNCATE audit.records', ['tail_missing 1']],
  ['a lost head', 'DELETE FROM audit.tree_head', ['checkpoint_missing 600', 'log_set_back 1']],
  ['an altered size', 'UPDATE audit.tree_head SET size = 601', ['checkpoint_altered 601']],
  [
    'an altered checkpoint',
    "UPDATE audit.tree_head SET checkpoint = replace(checkpoint, E'\\n600\\n', E'\\n500\\n')",
    ['checkpoint_altered 600', 'log_set_back 501'],
  ],
  ['an altered node', "UPDATE audit.nodes SET hash = sha256('') WHERE number = 1", ['records_mismatch 257']],
  ['a deleted node', 'DELETE FROM audit.nodes WHERE number = 0', ['records_mismatch 1']],
  [
    'a clock that was set back',
    "UPDATE audit.records SET recorded_at = recorded_at - interval '2 minutes' WHERE sequence > 400",
    ['clock_set_back 401'],
  ],
];

describe('verification of the stored log', () => {
  afterEach(restore);

  it('has no findings if nothing was changed', async () => {
    expect(await rig.verify()).toMatchObject({ intact: true, records: 600, lastSequence: 600, findings: [] });
  });

  it.each(columns)('finds an edit of %s to %s', async (column, value) => {
    await rig.tamper(`UPDATE audit.records SET ${column} = ${value} WHERE sequence = 3`);
    expect(await rig.findings()).toContain('record_altered 3');
    const [found, byPython] = await findingsOfAuditors();
    expect(found).toContain('record_altered 3');
    expect(byPython).toEqual(found);
  });

  it.each(tamperings)('finds %s', async (_name, sql, expected) => {
    await rig.tamper(sql);
    expect(await rig.findings()).toEqual(expect.arrayContaining([...expected]));
  });

  it('names the records among which one was altered with its hash and the nodes above it', async () => {
    await rig.tamper(`UPDATE audit.records SET dataone_user = 'mallory' WHERE sequence = 598`);
    const { findings } = await rig.verify();
    expect(findings.map(({ message }) => message)).toContain('Records 593 to 600 are not those that were signed');
  });

  it('finds a log that was forged with another key', async () => {
    await rig.tamper(`TRUNCATE ${tables.map((table) => `audit.${table}`).join(', ')}`);
    const stranger = createTestSigner();
    const forge = rig.createWriter({ signer: stranger, memory: { read: async () => undefined, remember: () => {} } });
    await forge(someEvents(700, 'forged'));
    expect(await rig.findings()).toEqual(['log_forked 600', 'checkpoint_key_unknown 700', 'log_replaced 600']);
  });

  it('counts every finding and lists the first hundred', async () => {
    await rig.tamper("UPDATE audit.records SET node_id = 'elsewhere'");
    const { findings, findingCount } = await rig.verify();
    expect(findings).toHaveLength(100);
    expect(findingCount).toBeGreaterThanOrEqual(600);
  });
});

describe('the stored log', () => {
  it.each([
    "UPDATE audit.records SET dataone_user = 'mallory'",
    'DELETE FROM audit.records WHERE sequence = 1',
    'TRUNCATE audit.records',
    "UPDATE audit.nodes SET hash = ''",
    'DELETE FROM audit.nodes',
    'TRUNCATE audit.nodes',
    'UPDATE audit.log_keys SET first_size = 9',
    'DELETE FROM audit.log_keys',
    'UPDATE audit.tree_head SET size = size - 1',
    'DELETE FROM audit.tree_head',
    'TRUNCATE audit.tree_head',
  ])('refuses %s', async (sql) => {
    await expect(rig.db.raw(sql)).rejects.toThrow('the audit record is append-only');
    expect(await rig.verify()).toMatchObject({ intact: true, records: 600 });
  });

  it('is verified in a snapshot, while it grows', async () => {
    const events = Array.from({ length: 20 }, () => someEvents(55));
    const appends = (async () => {
      for (const batch of events) await rig.append(batch);
    })();
    for (let round = 0; round < 5; round += 1) expect(await rig.verify()).toMatchObject({ intact: true });
    await appends;
    expect(await rig.verify()).toMatchObject({ intact: true, records: 1_700 });
  });

  it('is not trusted if a number occurs twice, which needs the loss of its unique indexes', async () => {
    await rig.tamper(`
      ALTER TABLE audit.records DROP CONSTRAINT records_pkey, DROP CONSTRAINT records_id_key;
      INSERT INTO audit.records SELECT * FROM audit.records WHERE sequence = 3`);
    expect(await rig.findings()).toEqual(expect.arrayContaining(['sequence_repeated 3', 'tail_unknown 1701']));
  });
});
