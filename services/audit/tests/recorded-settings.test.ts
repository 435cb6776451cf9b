import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAuditRig } from './audit-rig.ts';

const codes = ['AUD0100A', 'AUD0106A', 'AUD0107A'];
const rowsSchema = z.array(
  z.object({ code: z.string(), name: z.string(), user: z.string(), context: z.object({ difference: z.string() }) }),
);

it('changes of the settings are recorded at the next start, once and without secrets', async () => {
  await using folder = await createTestFolder();
  await using rig = await createAuditRig({ recordsSettings: true });
  const file = `file:${join(folder.path, 'anchor')}`;
  const endpoint = 'http://127.0.0.1:9/anchor';
  const retention = { AUDIT_RETENTION_DAYS: '30', AUDIT_ARCHIVE_DIR: folder.path };
  const startWith = async (env: Readonly<Record<string, string>>) => {
    const before = await found();
    await using _running = await rig.start({ ...env, AUDIT_ANCHOR_ALERT_SECONDS: env['ALERT'] ?? '900' });
    return (await found()).slice(before.length);
  };
  const found = async () => {
    const rows: unknown = await rig.record
      .db('audit.records')
      .whereIn('audit_code', codes)
      .orderBy('sequence')
      .select({ code: 'audit_code', name: 'entity_name', user: 'dataone_user', context: 'context' });
    return rowsSchema.parse(rows);
  };
  const namesOf = (rows: Awaited<ReturnType<typeof found>>) => rows.map(({ code, name }) => `${code} ${name}`);

  expect(await startWith({})).toEqual([]);
  const anchors = { AUDIT_ANCHORS: `${file} ${endpoint}?secret=canary` };
  const enabled = await startWith({ ...anchors, ...retention });
  expect(namesOf(enabled)).toEqual([`AUD0106A anchor ${file}`, `AUD0106A anchor ${endpoint}`, 'AUD0106A retention']);
  expect(enabled.every(({ user }) => user !== '')).toBe(true);
  expect(JSON.stringify(enabled)).not.toContain('canary');
  expect(await startWith({ ...anchors, ...retention })).toEqual([]);
  const [modified, ...others] = await startWith({ ...anchors, ...retention, AUDIT_RETENTION_DAYS: '5', ALERT: '60' });
  expect(others).toEqual([]);
  expect(modified).toMatchObject({ code: 'AUD0100A', name: 'retention, AUDIT_ANCHOR_ALERT_SECONDS' });
  expect(JSON.parse(modified?.context.difference ?? '')).toEqual({
    before: { retention: `30 days, archived in ${folder.path}`, AUDIT_ANCHOR_ALERT_SECONDS: '900' },
    after: { retention: `5 days, archived in ${folder.path}`, AUDIT_ANCHOR_ALERT_SECONDS: '60' },
  });
  expect(namesOf(await startWith({ AUDIT_ANCHORS: file, ALERT: '60' }))).toEqual([
    'AUD0107A retention',
    `AUD0107A anchor ${endpoint}`,
  ]);

  const hook = 'http://127.0.0.1:9/audit';
  const forwarding = `syslog+tcp://127.0.0.1:9?name=siem ${hook}?signing-key-file=/run/hook-key&token=canary`;
  const rest = { AUDIT_ANCHORS: file, ALERT: '60', OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const added = await startWith({ ...rest, AUDIT_FORWARDING: forwarding });
  expect(namesOf(added)).toEqual(['AUD0106A forwarding siem', `AUD0106A forwarding ${hook}`]);
  expect(JSON.stringify(added)).not.toContain('canary');
  const changed = await startWith({
    ...rest,
    AUDIT_FORWARDING: forwarding.replace('name=siem', 'name=siem&format=cef'),
  });
  expect(namesOf(changed)).toEqual(['AUD0100A forwarding siem']);
  expect(changed[0]?.context.difference).toContain(String.raw`\"format\":\"cef\"`);
  expect(namesOf(await startWith(rest))).toEqual(['AUD0107A forwarding siem', `AUD0107A forwarding ${hook}`]);
  expect(await rig.record.findings()).toEqual([]);
});
