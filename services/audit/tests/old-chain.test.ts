import { parseCheckpoint, verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRecordRange } from '../src/adapters/read-records.ts';
import { verifierKey } from '../src/domain/checkpoints/signed-note.ts';
import { exportLine } from '../src/domain/records/leaf-text.ts';
import { redactionEvents } from '../src/domain/redaction/redact-records.ts';
import { createRecordRig, createTestMemory, type RecordRig } from './record-rig.ts';
import { createTestSigner, someEvents } from './some-events.ts';
import { writeOldChain } from './write-old-chain.ts';

let rig: RecordRig;

beforeEach(async () => {
  rig = await createRecordRig();
  await rig.tamper('ALTER TABLE audit.records DISABLE TRIGGER USER');
  await writeOldChain(rig.db, rig.signer, 600);
  await rig.tamper('ALTER TABLE audit.records ENABLE TRIGGER USER');
});
afterEach(() => rig[Symbol.asyncDispose]());

it('the records of a former hash chain are the first leaves of the tree, and a record carries its head', async () => {
  expect(await rig.append([])).toMatchObject({ appended: 1, size: 601 });
  await rig.append(someEvents(300));
  const [row] = await rig.db('audit.records').where('sequence', 601).select('audit_code', 'entity_id', 'audit_message');
  const [head] = await rig.db('audit.head').select('signature', rig.db.raw("encode(record_hash, 'hex') AS hash"));
  expect(row).toEqual({
    audit_code: 'AUD0110A',
    entity_id: head.hash,
    audit_message: expect.stringContaining(`: ${head.signature}.`),
  });
  expect(row.audit_message).toContain('continues a hash chain of 600 records');
  expect(row.audit_message).toContain('Records that were not as hashed: 0');
  expect(await rig.verify()).toMatchObject({ intact: true, records: 901 });
  // Another process proves that the log is consistent across the import.
  expect(await rig.createWriter()(someEvents(1))).toMatchObject({ appended: 1, size: 902 });
});

it('an export with a former chain verifies independently, and a later edit is found', async () => {
  await rig.append(someEvents(3));
  const { checkpoint } = await rig.append(someEvents(2));
  const findings = async () => {
    async function* lines() {
      for await (const records of readRecordRange(rig.db, { first: 1, last: 606 })) yield* records.map(exportLine);
      yield JSON.stringify({
        checkpoint,
        keys: [verifierKey(checkpoint.split('\n', 1)[0] ?? '', rig.signer.publicKey)],
      });
    }
    const outcome = await verifyAuditLog({ lines: lines(), kept: [parseCheckpoint(checkpoint)] });
    return outcome.findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
  };
  expect(await findings()).toEqual([]);
  await rig.tamper("UPDATE audit.records SET dataone_user = 'mallory' WHERE sequence = 258");
  expect(await findings()).toEqual(['record_altered 258', 'link_broken 259', 'root_mismatch 1', 'log_forked 606']);
});

it('a record of the former chain that is altered later is found', async () => {
  await rig.append([]);
  await rig.tamper("UPDATE audit.records SET dataone_user = 'mallory' WHERE sequence = 258");
  expect(await rig.findings()).toEqual(expect.arrayContaining(['record_altered 258', 'records_mismatch 257']));
});

it('a record of the former chain that was altered before is counted in the record of the import', async () => {
  await rig.tamper("UPDATE audit.records SET dataone_user = 'mallory' WHERE sequence = 258");
  await rig.append([]);
  const [row] = await rig.db('audit.records').where('sequence', 601).select('audit_message');
  expect(row.audit_message).toContain('Records that were not as hashed: 1');
  expect(await rig.findings()).toEqual(['record_altered 258']);
});

it.each([
  ['the last record', 'DELETE FROM audit.records WHERE sequence = 600', 'do not match its head at record 599'],
  ['a record within', 'DELETE FROM audit.records WHERE sequence = 70', 'do not match its head at record 70'],
  ['the signature of its head', "UPDATE audit.head SET signature = ''", 'The head of the audit log was altered'],
  ['the head', 'DELETE FROM audit.head', 'The head of the audit log is missing'],
])('a chain that has lost %s is not continued', async (_what, sql, message) => {
  await rig.tamper(sql);
  await expect(rig.append([])).rejects.toThrow(message);
});

it('a chain that a stranger signed is not continued, and a tree is not imported again', async () => {
  const stranger = createTestSigner();
  await rig.tamper(`UPDATE audit.head SET public_key = '${stranger.publicKey}'`);
  await expect(rig.append([])).rejects.toThrow(`was signed by ${stranger.publicKey}, which is not trusted`);
  await rig.tamper(`UPDATE audit.head SET public_key = '${rig.signer.publicKey}'`);
  await rig.append(someEvents(1));
  await rig.tamper('DELETE FROM audit.tree_head');
  await expect(rig.createWriter({ memory: createTestMemory() })([])).rejects.toThrow('do not match its head');
});

it('the four fields of a record of the former chain can be erased together only', async () => {
  await rig.append([]);
  const redact = (fields: string) =>
    rig.db.raw('SELECT number FROM audit.redact(ARRAY[1, 600]::bigint[], CAST(:fields AS text[])) AS number', {
      fields,
    });
  await expect(redact('{dataoneUser,address}')).rejects.toThrow(
    'record 1 is of the former hash chain: auditMessage, dataoneUser, entityId and entityName can only be erased together',
  );
  expect((await redact('{address,reason}')).rows).toEqual([]);
  const fields = ['address', 'auditMessage', 'dataoneUser', 'entityId', 'entityName'];
  expect((await redact(`{${fields.join(',')}}`)).rows).toEqual([{ number: '1' }, { number: '600' }]);
  expect((await redact(`{${fields.join(',')}}`)).rows).toEqual([]);
  expect(await rig.findings()).toEqual(['redaction_unrecorded 1', 'redaction_unrecorded 600']);
  const redaction = { managerName: 'manager1', nodeId: 'node1', user: 'admin', fields, reason: 'x' };
  const { checkpoint, size } = await rig.append(redactionEvents([1, 600], redaction));
  expect(await rig.verify()).toMatchObject({ intact: true, redactedRecords: 2 });
  async function* lines() {
    for await (const records of readRecordRange(rig.db, { first: 1, last: size })) yield* records.map(exportLine);
    yield JSON.stringify({ checkpoint, keys: [verifierKey(checkpoint.split('\n', 1)[0] ?? '', rig.signer.publicKey)] });
  }
  expect(await verifyAuditLog({ lines: lines() })).toMatchObject({ records: 602, redacted: 2, findings: [] });
});
