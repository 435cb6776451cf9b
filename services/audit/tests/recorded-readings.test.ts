import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const api = '/platform-application/api/v1/audit';
const rowSchema = z.object({
  auditCode: z.string(),
  user: z.string(),
  request: z.string(),
  endpoint: z.string(),
  message: z.string(),
  address: z.string(),
  context: z.record(z.string(), z.union([z.string(), z.number()])),
});
type Reading = z.infer<typeof rowSchema>;

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig({ recordsReadings: true });
  audit = await rig.start();
  await rig.record.append(someEvents(5, 'old'));
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** What is recorded of readings, in the order of the log. */
async function readings(): Promise<Reading[]> {
  const rows: unknown = await rig.record
    .db('audit.records')
    .whereIn('audit_code', ['AUD0117A', 'AUD0118A', 'AUD0119A', 'AUD0120A'])
    .orderBy('sequence')
    .select({
      auditCode: 'audit_code',
      user: 'dataone_user',
      request: 'entity_name',
      endpoint: 'entity_id',
      message: 'audit_message',
      address: 'address',
      context: 'context',
    });
  return z.array(rowSchema).parse(rows);
}

/** The records of what `act` reads. */
async function recordedOf(act: () => Promise<unknown>, count: number): Promise<Reading[]> {
  const before = (await readings()).length;
  await act();
  const all = await waitFor(
    async () => {
      const found = await readings();
      return found.length >= before + count ? found : undefined;
    },
    { what: 'the records of readings' },
  );
  return all.slice(before);
}

const get = (address: string, query: Readonly<Record<string, string | number>> = {}) =>
  audit.client.get(`${api}/${address}`, { query, bearer: rig.token('Auditors') });

const conditions =
  'auditOperation="SERVER_UPLOAD_FILE",dataoneUser="jane.doe",fileHash="c0ffee",entityName^="/inbox/jane"';
const filter = `{${conditions}}`;
const described = '{auditOperation="SERVER_UPLOAD_FILE",dataoneUser,fileHash,entityName}';

it.each([
  ['the list', 'logs', { page: 0, q: filter }, 'AUD0117A', `listAuditRecords ${described}`],
  ['counts', 'logs/counts', { q: filter, by: 'auditOperation' }, 'AUD0117A', `countAuditRecords ${described}`],
  ['leaves', 'tile/entries/000.p/5', {}, 'AUD0117A', 'readAuditTile'],
  ['an export', 'export', { q: filter, format: 'csv' }, 'AUD0118A', `exportAuditRecords csv ${described}`],
  ['a verification', 'verification', {}, 'AUD0119A', 'verifyAuditRecord'],
])('%s is recorded, without personal values of its filter', async (_, address, query, auditCode, request) => {
  const [reading, ...others] = await recordedOf(async () => {
    expect((await get(address, query)).status).toBe(200);
  }, 1);
  expect(others).toEqual([]);
  expect(reading).toMatchObject({
    auditCode,
    user: 'auditor',
    address: '127.0.0.1',
    request,
    endpoint: request.split(' ', 1)[0],
  });
  expect(reading?.context).toMatchObject({ port: expect.any(Number), client: expect.any(String) });
  expect(reading?.context['outcome']).toBe(auditCode === 'AUD0119A' ? 'success' : undefined);
  for (const value of ['jane', 'c0ffee']) expect(JSON.stringify(reading)).not.toContain(value);
});

it('the live log is recorded once, however many events it sends', async () => {
  const stop = new AbortController();
  const [reading, ...others] = await recordedOf(async () => {
    const response = await fetch(`http://127.0.0.1:${audit.port}${api}/logs/events`, {
      headers: { authorization: `Bearer ${rig.token('Auditors')}` },
      signal: stop.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await rig.record.append(someEvents(20, 'live'));
    for (let text = ''; (text.match(/event: record/gu) ?? []).length < 20;) text += (await reader?.read())?.value ?? '';
  }, 1);
  stop.abort();
  expect(others).toEqual([]);
  expect(reading).toMatchObject({ auditCode: 'AUD0117A', request: 'followAuditRecords' });
});

it('what has no records of the log is not recorded, nor is a request that fails', async () => {
  const [reading] = await recordedOf(async () => {
    for (const address of ['checkpoint', 'keys', 'tile/0/000.p/5', 'consistency?from=1&to=2', 'holds']) {
      expect((await get(address)).status).toBe(200);
    }
    expect((await get('logs', { page: 0, q: 'not a filter' })).status).toBe(400);
    await get('logs', { page: 0, q: '{auditCode="AUD0001A"}' });
  }, 1);
  expect(reading).toMatchObject({ request: 'listAuditRecords {auditCode="AUD0001A"}' });
});

it('a user who reads without end fills eleven records in a minute and process', async () => {
  await using fresh = await createAuditRig({ recordsReadings: true });
  const { db } = fresh.record;
  const codes = () =>
    db('audit.records').whereIn('audit_code', ['AUD0117A', 'AUD0120A']).orderBy('sequence').pluck('audit_code');
  await using stack = new AsyncDisposableStack();
  const running = stack.use(await fresh.start());
  const read = (index: number) =>
    running.client.get(`${api}/logs`, {
      query: { page: 0, q: `{auditCode="AUD${String(index).padStart(4, '0')}A"}` },
      bearer: fresh.token('Auditors'),
    });
  for (let index = 0; index < 100; index += 1) expect((await read(index)).status).toBe(200);
  await stack.disposeAsync();
  await using _again = await fresh.start();
  await waitFor(async () => (await codes()).length === 11, { what: 'ten records and a summary' });
  expect(await codes()).toEqual([...Array.from({ length: 10 }, () => 'AUD0117A'), 'AUD0120A']);
  const [summary] = await db('audit.records').where('audit_code', 'AUD0120A').pluck('audit_message');
  expect(summary).toMatch(/^User auditor has read the audit log 90 more times between 2\S+Z and 2\S+Z$/u);
});
