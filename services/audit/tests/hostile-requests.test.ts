import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { problemSchema } from '@waybill/contracts/errors/problem';
import type { HttpRequestOptions } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const prefix = '/platform-application/api/v1/audit';
const reason = 'as planned';

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig();
  await rig.record.append(someEvents(300));
  audit = await rig.start();
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const ask = (method: string, path: string, options: HttpRequestOptions = {}) =>
  audit.client.request(method, `${prefix}/${path}`, { bearer: rig.token('Administrators'), ...options });

const cursorOf = (...values: readonly string[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');
const far = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59.999-23:59'];
const times = far.flatMap((time) => [`fromAuditTime="${time}"`, `toAuditTime="${time}"`, `auditTime="${time}"`]);
const most = '999999999999999';

/** Valid, however far from what the log has. */
const answered: readonly (readonly [path: string, query: Readonly<Record<string, string>>])[] = [
  ['logs', { page: most, limit: '1000', offset: most }],
  ['logs', { page: most, limit: '1000', offset: most, q: '{entityType="File"}', sort: '-auditCode' }],
  ...times.flatMap((time) =>
    ['', '-auditTime', '+id', '-dfiid'].map(
      (sort) => ['logs', { page: '0', total: 'true', q: `{${time}}`, ...(sort && { sort }) }] as const,
    ),
  ),
  ['logs', { page: '0', q: '{fromAuditTime="2030-01-01T00:00:00Z",toAuditTime="2020-01-01T00:00:00Z"}' }],
  ['logs', { page: '0', q: `{entityName^="${'x'.repeat(9_000)}"}` }],
  ['logs', { page: '0', q: `{entityName^="${'\u{1f4c4}'.repeat(99)}%_\\\\"}`, sort: '-entityName,+id,-auditTime' }],
  ...times.map((time) => ['logs/counts', { q: `{${time}}`, unit: 'minute', by: 'dataoneUser' }] as const),
  ...times.map((time) => ['export', { q: `{${time}}`, format: 'cef' }] as const),
  ['consistency', { from: '0', to: '0' }],
  ['consistency', { from: '300', to: '300' }],
];

/** Refused, as invalid where nothing else is said. */
const refused: readonly (readonly [path: string, query: Readonly<Record<string, string>>])[] = [
  ['logs', { page: `${most}0` }],
  ['logs', { page: '0', limit: '-1' }],
  ['logs', { page: '0', q: '' }],
  ['logs', { page: '0', q: '{fromAuditTime="2026-13-01T00:00:00Z"}' }],
  ['logs', { page: '0', q: '{fromAuditTime="+275760-09-13T00:00:00Z"}' }],
  ['logs', { page: '0', sort: 'id,'.repeat(200) }],
  ['logs', { page: '0', cursor: '' }],
  ['logs', { page: '0', cursor: 'x'.repeat(4_001) }],
  ['logs', { page: '0', sort: '+auditTime', cursor: cursorOf('+audit_time,+sequence', 'infinity', '1') }],
  ['logs', { page: '0', sort: '+auditTime', cursor: cursorOf('+audit_time,+sequence', `${far[1]}`, '9'.repeat(19)) }],
  ['logs/counts', { unit: 'second' }],
  ['logs/counts', { by: 'auditMessage' }],
  ['logs/counts', { q: '{' }],
  ['logs/events', { q: '{id^="0"}' }],
  ['export', { format: '' }],
  ['export', { page: '0' }],
  ['checkpoint', { cosigned: 'yes' }],
  ['keys', { validity: '1' }],
  ['consistency', { from: `${most}0`, to: '1' }],
  ['consistency', { from: '01', to: '1' }],
  ['consistency', { from: '300', to: most }],
];

describe('a hostile request', () => {
  it.each(answered)('%s with %j is answered', async (path, query) => {
    const answer = await ask('GET', path, { query });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  });

  it.each(far)('a cursor of the time %s is answered', async (time) => {
    for (const sort of ['+auditTime', '-auditTime']) {
      const sign = sort.slice(0, 1);
      const cursor = cursorOf(`${sign}audit_time,${sign}sequence`, time, '7');
      const answer = await ask('GET', 'logs', { query: { page: 0, sort, cursor } });
      expect([200, 400]).toContain(answer.status);
    }
  });

  it.each(refused)('%s with %j is refused', async (path, query) => {
    const answer = await ask('GET', path, { query });
    expect([answer.status, problemSchema.parse(answer.json()).code]).toEqual([400, 'validation_failed']);
  });

  it.each([
    ['redactions', []],
    ['redactions', { ids: [], fields: ['dataoneUser'], reason }],
    ['redactions', { q: '{', fields: ['dataoneUser'], reason }],
    ['redactions', { q: '{auditCode="x"}', ids: ['1'], fields: ['dataoneUser'], reason }],
    ['redactions', { q: '{auditCode="x"}', fields: ['__proto__'], reason }],
    ['holds', { from: 'infinity', reason }],
    ['holds', { first: '1', reason }],
    ['holds', { first: 2 ** 53, reason }],
  ])('%s with %j is refused', async (path, json) => {
    const answer = await ask('POST', path, { json });
    expect([answer.status, problemSchema.parse(answer.json()).code]).toEqual([400, 'validation_failed']);
  });

  it.each(far)('a hold and a redaction from the time %s on end without an error of the service', async (time) => {
    const placed = await ask('POST', 'holds', { json: { from: time, reason } });
    expect([200, 400], placed.text).toContain(placed.status);
    const json = { q: `{fromAuditTime="${time}",auditCode="x"}`, fields: ['dataoneUser'], reason, dryRun: true };
    const erased = await ask('POST', 'redactions', { json });
    expect([erased.status, erased.json()]).toEqual([200, { records: 0, dryRun: true }]);
  });

  it.each(['x', '%00', '..%2f', 'x'.repeat(101), "';--"])('the hold %s is refused', async (id) => {
    const answer = await ask('POST', `holds/${id}/release`, { json: { reason } });
    expect([400, 404]).toContain(answer.status);
    expect(problemSchema.parse(answer.json()).code).not.toBe('internal_error');
  });

  it('of a thousand clients that follow the log ten are served and the others refused, and a list is read meanwhile', async () => {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${rig.token('Auditors')}` };
    const follow = () => fetch(`http://127.0.0.1:${audit.port}${prefix}/logs/events`, { headers, signal: stop.signal });
    const clients = Promise.all(Array.from({ length: 1_000 }, follow));
    expect((await ask('GET', 'logs', { query: { page: 0 } })).status).toBe(200);
    const answers = await clients;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const others = answers.filter(({ status }) => status !== 200);
    for (const answer of others) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30']);
      expect(problemSchema.parse(await answer.json()).code).toBe('too_many_requests');
    }
    stop.abort();
  });

  it('that ends in its middle does not delay others', async () => {
    const half = `POST ${prefix}/redactions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\nAuthorization: Bearer ${rig.token('Administrators')}\r\n\r\n{"q":`;
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(audit.port, '127.0.0.1').on('error', () => {});
      socket.write(index % 2 === 0 ? half : half.slice(0, 40));
      return socket;
    });
    // All of them are read.
    await sleep(200);
    for (const path of ['checkpoint', 'logs?page=0', 'tile/0/000']) expect((await ask('GET', path)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
