import { auditVerificationSchema } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { hashOf, someEvents } from './some-events.ts';

const prefix = '/platform-application/api/v1/audit';
const [fileHash, fileSize] = [hashOf('a small list of names'), 21];
const [ofHash, ofName] = [`{fileHash="${fileHash}"}`, '{entityName^="/inbox/transferred-"}'];

it('an erased hash finds nothing, an erased size is in no sum, and the log remains intact', async () => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  const get = (address: string, query: Readonly<Record<string, string>> = {}) =>
    audit.client.get(`${prefix}/${address}`, { query, bearer: rig.token('Auditors') });
  const found = async () => (await get('logs', { page: '0', q: ofHash })).json();
  const counted = async () => (await get('logs/counts', { q: ofName, unit: 'month', bytes: 'true' })).json();
  const leaves = async () => (await get('tile/entries/000.p/5')).text;
  const events = someEvents(5, 'transferred').map(({ id, payload }, index) => ({
    id,
    payload:
      index < 2 ? { ...payload, context: { ...payload.context, fileHash, fileSize } } : { ...payload, context: {} },
  }));
  await rig.record.append(events);
  const [first, second] = events.map(({ id }) => id);
  const before = await leaves();
  expect(await found()).toMatchObject([{ id: first }, { id: second }]);
  expect(await counted()).toMatchObject([{ count: 5, bytes: 42 }]);

  const json = { ids: [first], fields: ['fileHash', 'fileSize'], reason: 'Request of 15 March' };
  const erasure = await audit.client.post(`${prefix}/redactions`, { json, bearer: rig.token('Administrators') });
  expect(erasure.json()).toEqual({ records: 1, dryRun: false });
  expect(await found()).toMatchObject([{ id: second }]);
  expect(await counted()).toMatchObject([{ count: 5, bytes: 21 }]);
  expect(await leaves()).toBe(before);
  expect(before).not.toContain(fileHash);
  const verification = auditVerificationSchema.parse((await get('verification')).json());
  expect(verification).toMatchObject({ intact: true, redactedRecords: 1 });
  // That of the second record.
  expect((await get('export')).text.split(fileHash)).toHaveLength(2);
});
