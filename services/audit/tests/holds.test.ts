import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditHoldSchema } from '@waybill/contracts/endpoints/audit-logs/audit-hold';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const holds = '/platform-application/api/v1/audit/holds';

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

const post = (address: string, json: object) =>
  audit.client.post(address, { json, bearer: rig.token('Administrators') });
const list = async () => (await audit.client.get(holds, { bearer: rig.token('Auditors') })).json();
const messages = (code: string) => rig.record.db('audit.records').where('audit_code', code).pluck('audit_message');

describe('a legal hold', () => {
  it('is placed, listed and released once, each with a record', async () => {
    const bounds = { first: 3, last: 7, from: '2026-03-01T00:00:00Z' };
    const placed = await post(holds, { ...bounds, reason: 'Case 4711' });
    expect(placed.status).toBe(200);
    const { id } = auditHoldSchema.parse(placed.json());
    expect(await list()).toEqual({
      holds: [
        {
          id,
          first: 3,
          last: 7,
          from: '2026-03-01T00:00:00.000Z',
          reason: 'Case 4711',
          placedBy: 'admin',
          placedAt: expect.any(String),
        },
      ],
    });
    expect((await post(`${holds}/${id}/release`, { reason: 'settled' })).status).toBe(200);
    const again = await post(`${holds}/${id}/release`, { reason: 'settled' });
    expect([again.status, (again.json() as { code: string }).code]).toEqual([404, 'audit_hold_unknown']);
    expect(await list()).toEqual({ holds: [] });
    const what = 'records from number 3 to number 7 from 2026-03-01T00:00:00Z';
    expect(await messages('AUD0121A')).toEqual([`User admin has placed ${what} on legal hold: Case 4711`]);
    expect(await messages('AUD0122A')).toEqual([
      expect.stringMatching(/^User admin has released the legal hold of records .*: settled$/u),
    ]);
  });

  it('is listed in pages, the oldest first, while others are placed and released', async () => {
    const ids: string[] = [];
    const place = async (first: number) =>
      ids.push(auditHoldSchema.parse((await post(holds, { first, reason: 'paged' })).json()).id);
    for (let first = 1; first <= 5; first += 1) await place(first);
    const get = (address: string) => audit.client.get(address, { bearer: rig.token('Auditors') });
    const pageSchema = z.object({ holds: z.array(auditHoldSchema), next: z.string().optional() });
    const page = async (address: string) => pageSchema.parse((await get(address)).json());
    const one = await page(`${holds}?limit=2`);
    expect(one.holds.map(({ first }) => first)).toEqual([1, 2]);
    // What the next page begins after may be released meanwhile.
    await post(`${holds}/${ids[1]}/release`, { reason: 'settled' });
    const two = await page(one.next ?? '');
    expect(two.holds.map(({ first }) => first)).toEqual([3, 4]);
    await place(6);
    const three = await page(two.next ?? '');
    expect(three.holds.map(({ first }) => first)).toEqual([5, 6]);
    expect(three.next).toBeUndefined();
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x', 'cursor=', 'page=1'])
      expect([query, (await get(`${holds}?${query}`)).status]).toEqual([query, 400]);
    for (const id of ids) await post(`${holds}/${id}/release`, { reason: 'settled' });
    expect(await list()).toEqual({ holds: [] });
  });

  it.each([
    {},
    { reason: '' },
    { reason: 'x'.repeat(501) },
    { reason: '\0' },
    { first: 0, reason: 'x' },
    { first: 1.5, reason: 'x' },
    { first: 7, last: 3, reason: 'x' },
    { first: 1e300, reason: 'x' },
    { from: 'today', reason: 'x' },
    { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z', reason: 'x' },
    { records: 3, reason: 'x' },
  ])('is refused for %j', async (body) => {
    const answer = await post(holds, body);
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([400, 'validation_failed']);
  });
});

it('waybill places and releases a hold, and the service archives only what is not held', async () => {
  await using folder = await createTestFolder();
  await using other = await createAuditRig();
  const { record } = other;
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, other.token('Administrators'));
  const run = (...args: readonly string[]) =>
    new Promise<string>((resolve) => {
      const platform = ['--url', `http://127.0.0.1:${serving.port}`, '--token', token];
      execFile(
        process.execPath,
        [waybill, 'audit', ...args, ...platform],
        { env: spawnEnvironment({}) },
        (_, out, err) => resolve(out + err),
      );
    });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 86_400_000 });
  try {
    await record.createWriter({ memory: { read: async () => undefined, remember: () => {} } })(someEvents(700));
  } finally {
    vi.useRealTimers();
  }
  const archived = () => record.db('audit.records').where('audit_code', 'AUD0114A');
  await using serving = await other.start();
  const [, id = ''] =
    /^The hold (\S+) was placed\.\n$/u.exec(await run('hold', '--first', '300', '--reason', 'x')) ?? [];
  expect(await run('holds')).toMatch(new RegExp(`^HOLD +RECORDS +.*\n${id} +300 to +all +`, 'u'));
  expect(JSON.parse(await run('holds', '--json'))).toMatchObject({ id, first: 300, reason: 'x' });
  const second = JSON.parse(await run('hold', '--last', '9', '--reason', 'y', '--json')) as { id: string };
  const ended = await run('release', second.id, '--reason', 'y', '--json');
  expect(JSON.parse(ended)).toEqual({ id: second.id, released: true });
  const archives = path.join(folder.path, 'archives');
  const settings = { AUDIT_RETENTION_DAYS: '2', AUDIT_ARCHIVE_DIR: archives };
  await expect(other.start({ AUDIT_RETENTION_DAYS: '2' })).rejects.toThrow('requires AUDIT_ARCHIVE_DIR');
  const files = async () =>
    (await readdir(archives).catch(() => [])).map((name) => name.replace(/-[\da-f]{16}\./u, '.'));
  {
    await using _archiving = await other.start(settings);
    await expect.poll(files).toEqual(['waybill-audit-1-256.ndjson']);
    await expect.poll(() => archived()).toHaveLength(1);
  }
  expect(await run('release', id, '--reason', 'over')).toBe(`The hold ${id} was released.\n`);
  await using _archiving = await other.start(settings);
  await expect.poll(files).toHaveLength(2);
  await expect.poll(() => archived()).toHaveLength(2);
  expect(await record.verify()).toMatchObject({ archivedRecords: 512 });
});
