import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyAuditLog } from '@waybill/audit-verifier/verify-audit-log';
import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { readRecordRange } from '../src/adapters/read-records.ts';
import { createLogReader } from '../src/domain/reading/log-reader.ts';
import { leafText } from '../src/domain/records/leaf-text.ts';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { redactionEvents } from '../src/domain/redaction/redact-records.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { createRecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

const prefix = '/platform-application/api/v1/audit';
const hostile = `ü "quoted" \\ \u0001\u001f\u007f\u2028 \u{1f600} ?$1'); --`;

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig();
  audit = await rig.start();
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const post = (body: object, role: 'Administrators' | 'Auditors' = 'Administrators') =>
  audit.client.post(`${prefix}/redactions`, { json: body, bearer: rig.token(role) });
const get = (path: string) => audit.client.get(`${prefix}/${path}`, { bearer: rig.token('Auditors') });
const verification = async () => auditVerificationSchema.parse((await get('verification')).json());
const find = async (conditions: string) => {
  const answer = await get(`logs?page=0&limit=1000&q=${encodeURIComponent(`{${conditions}}`)}`);
  return answer.json() as Record<string, unknown>[];
};

/** Events of one user, with every kind of personal value. */
function eventsOf(user: string, count: number): IdentifiedEvent[] {
  return someEvents(count, user).map(({ id, payload }) => ({
    id,
    payload: {
      ...payload,
      dataoneUser: user,
      entityName: `/${user}/${hostile}`,
      auditMessage: `User ${user} ${hostile}`,
      context: { ...payload.context, address: `address of ${user}`, reason: hostile, port: 22 },
    },
  }));
}

async function lastSequence(): Promise<number> {
  const [row] = await rig.record.db('audit.records').max<{ last: string }[]>('sequence as last');
  return Number(row?.last);
}

async function leaves(): Promise<string[]> {
  const texts: string[] = [];
  const range = { first: 1, last: await lastSequence() };
  for await (const records of readRecordRange(rig.record.db, range)) texts.push(...records.map(leafText));
  return texts;
}

describe('a redaction', () => {
  it('erases the values, leaves every leaf and proof as it is, and is recorded', async () => {
    await rig.record.append([...eventsOf('ada-lovelace', 30), ...eventsOf('bob', 10), ...eventsOf('ada-lovelace', 3)]);
    const before = await leaves();
    const fields = ['dataoneUser', 'auditMessage', 'entityName', 'address', 'reason', 'virtualFileSystem'];
    const request = { q: '{dataoneUser="ada-lovelace"}', fields, reason: 'Request of 14 March' };
    const dry = await post({ ...request, dryRun: true });
    expect([dry.status, dry.json()]).toEqual([200, { records: 33, dryRun: true }]);
    expect(await find('dataoneUser="ada-lovelace"')).toHaveLength(33);
    expect((await post(request)).json()).toEqual({ records: 33, dryRun: false });

    expect((await leaves()).slice(0, before.length)).toEqual(before);
    expect(await find('dataoneUser="ada-lovelace"')).toEqual([]);
    expect(await find(`entityName="/bob/${hostile.replaceAll(/["\\]/gu, String.raw`\$&`)}"`)).toHaveLength(10);
    const [redacted] = await find('dataoneUser="[redacted]"');
    expect(redacted).toMatchObject({ auditMessage: '[redacted]', entityName: '[redacted]', entityId: '0' });
    const [record] = await find('auditCode="AUD0113A"');
    expect(record).toMatchObject({
      dataoneUser: 'admin',
      entityName: 'address,auditMessage,dataoneUser,entityName,reason,virtualFileSystem',
      entityId: '1-30,41-43',
      auditMessage:
        'User admin has erased address,auditMessage,dataoneUser,entityName,reason,virtualFileSystem of 33 audit records: Request of 14 March',
    });
    expect(await verification()).toMatchObject({ intact: true, records: 44, redactedRecords: 33 });
    const dump = JSON.stringify(await rig.record.db('audit.records').where('audit_code', '<>', 'AUD0113A').select());
    expect(dump).not.toContain('ada-lovelace');
    expect((await get('export')).text).not.toContain('"ada-lovelace"');
  });

  it('can be followed by one of other fields, and by one of the same, which changes nothing', async () => {
    const [id] = await rig.record.db('audit.records').where('sequence', 1).pluck<string[]>('id');
    const before = await leaves();
    const more = { ids: [id], fields: ['entityId', 'port', 'dataoneUser', 'nothing'], reason: 'more' };
    expect((await post(more)).json()).toEqual({ records: 1, dryRun: false });
    expect((await post(more)).json()).toEqual({ records: 0, dryRun: false });
    expect(await leaves()).toEqual(expect.arrayContaining(before));
    expect(await verification()).toMatchObject({ intact: true, redactedRecords: 33 });
    const unknown = { ids: ['019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f'], fields: ['entityId'], reason: 'x' };
    expect((await post(unknown)).json()).toEqual({ records: 0, dryRun: false });
  });

  it('leaves the records of the log about itself as they are', async () => {
    const request = { q: '{auditCode="AUD0113A"}', fields: ['dataoneUser'], reason: 'x' };
    expect((await post(request)).json()).toEqual({ records: 0, dryRun: false });
    expect(await find('auditCode="AUD0113A",dataoneUser="admin"')).toHaveLength(2);
  });

  it('runs beside others and beside the writer', async () => {
    await rig.record.append(eventsOf('eve', 200));
    const fields = [['dataoneUser'], ['entityName', 'address'], ['auditMessage']];
    const writes = Array.from({ length: 10 }, (_, index) => rig.record.append(someEvents(7, `beside ${index}`)));
    const redactions = fields.map((some) => post({ q: '{entityType="File"}', fields: some, reason: 'all' }));
    for (const answer of await Promise.all(redactions)) expect(answer.status).toBe(200);
    await Promise.all(writes);
    expect(await verification()).toMatchObject({ intact: true, findings: [] });
  });

  it.each([
    {},
    { q: '{dataoneUser="x"}', fields: ['dataoneUser'] },
    { q: '{dataoneUser="x"}', fields: [], reason: 'x' },
    { q: '{dataoneUser="x"}', ids: [], fields: ['dataoneUser'], reason: 'x' },
    { fields: ['dataoneUser'], reason: 'x' },
    { q: '{colour="x"}', fields: ['dataoneUser'], reason: 'x' },
    { q: '', fields: ['dataoneUser'], reason: 'x' },
    { q: '{dataoneUser="x"}', fields: ["x'"], reason: 'x' },
    { q: '{dataoneUser="x"}', fields: ['dataoneUser'], reason: ' ' },
    { q: '{dataoneUser="x"}', fields: ['dataoneUser'], reason: '\0' },
    { q: '{dataoneUser="x"}', fields: ['dataoneUser'], reason: 'x'.repeat(501) },
    { ids: ["x'"], fields: ['dataoneUser'], reason: 'x' },
    { q: '{dataoneUser="x"}', fields: ['dataoneUser'], reason: 'x', everything: true },
  ])('is refused for %j', async (body) => {
    const answer = await post(body);
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([400, 'validation_failed']);
  });

  it('is for administrators', async () => {
    const answer = await post({ q: '{dataoneUser="x"}', fields: ['dataoneUser'], reason: 'x' }, 'Auditors');
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([403, 'not_permitted']);
  });
});

it('an export during which values are erased has the record of that as well', async () => {
  await using other = await createRecordRig();
  await other.append(someEvents(7_000));
  const lines: string[] = [];
  const { lines: read } = await createLogReader(createKnexStoredLog(other.db), other).openExport();
  const batches = read()[Symbol.asyncIterator]();
  await batches.next();
  lines.push(
    ...String((await batches.next()).value)
      .trimEnd()
      .split('\n'),
  );
  expect(lines).toHaveLength(2_000);
  await other.db.raw("SELECT audit.redact(ARRAY[1, 6900], '{dataoneUser,port}')");
  const redaction = { managerName: 'manager1', nodeId: 'node1', user: 'admin', reason: 'x' };
  await other.append(redactionEvents([1, 6_900], { ...redaction, fields: ['dataoneUser', 'port'] }));
  for await (const batch of { [Symbol.asyncIterator]: () => batches }) lines.push(...batch.trimEnd().split('\n'));
  expect(await verifyAuditLog({ lines: eachOf(lines) })).toMatchObject({ records: 7_001, redacted: 1, findings: [] });
});

async function* eachOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

describe('waybill audit redact', () => {
  const run = (args: readonly string[]) =>
    runWaybill(['audit', 'redact', ...args]).then(({ code, out, err }) => ({ code, out: out + err }));

  it('counts, erases, and explains a refusal', async () => {
    await using folder = await createTestFolder();
    const token = path.join(folder.path, 'token.txt');
    await writeFile(token, `${rig.token('Administrators')}\n`);
    await rig.record.append(eventsOf('kim', 4));
    const platform = ['--url', `http://127.0.0.1:${audit.port}`, '--token', token];
    const what = ['--filter', '{dataoneUser="kim"}', '--fields', 'dataoneUser,address', '--reason', 'leaves'];
    expect(await run([...platform, ...what, '--dry-run'])).toEqual({
      code: 0,
      out: 'Values of 4 records would be erased.\n',
    });
    const counted = await run([...platform, ...what, '--dry-run', '--json']);
    expect(JSON.parse(counted.out)).toMatchObject({ records: 4, dryRun: true });
    expect(await run([...platform, ...what])).toEqual({ code: 0, out: 'Values of 4 records were erased.\n' });
    expect(await find('dataoneUser="kim"')).toEqual([]);
    const refused = await run([...platform, '--filter', '{colour="red"}', '--fields', 'address', '--reason', 'x']);
    expect(refused).toEqual({ code: 1, out: expect.stringContaining('colour') });
    expect((await run(what)).code).toBe(2);
  });
});

describe('the role of the audit service', () => {
  it('can erase values with the function only, and cannot change a record in any other way', async () => {
    await rig.record.append(eventsOf('mia', 3));
    const last = await lastSequence();
    const db = connectPostgres({ url: rig.record.serviceUrl, applicationName: 'audit test' });
    try {
      const refused = /permission denied|append-only/u;
      for (const sql of [
        "UPDATE audit.records SET dataone_user = '[redacted]'",
        'DELETE FROM audit.records',
        'TRUNCATE audit.records',
      ])
        await expect(db.raw(sql)).rejects.toThrow(refused);
      await db.raw('SELECT audit.redact(ARRAY[:last]::bigint[], ARRAY[:field])', { last, field: 'dataoneUser' });
    } finally {
      await db.destroy();
    }
    const { findings } = await verification();
    expect(findings).toEqual([
      {
        kind: 'redaction_unrecorded',
        sequence: last,
        message: `Values of record ${last} were erased without a record of it: dataoneUser`,
      },
    ]);
  });

  it.each([
    "dataone_user = 'mallory'",
    "dataone_user = '[redacted]'",
    "dataone_user = '[redacted]', salt = NULL, commitments = '{}'",
    `dataone_user = '[redacted]', salt = NULL, commitments = '{"dataoneUser":"00"}'`,
    `commitments = '{"reason":"00"}'`,
    'salt = NULL',
    'context = NULL',
    'address = NULL',
    "audit_code = 'AUD0099A'",
  ])('not even the owner of the table can set %s', async (change) => {
    const last = await lastSequence();
    await expect(rig.record.db.raw(`UPDATE audit.records SET ${change} WHERE sequence = ${last - 1}`)).rejects.toThrow(
      'the audit record is append-only',
    );
  });
});
