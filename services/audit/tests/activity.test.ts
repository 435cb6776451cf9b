import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createAuditRig, type RunningAudit } from './audit-rig.ts';

const path = '/platform-application/api/v1/audit/activity';
const rowSchema = z.object({
  entityId: z.string(),
  dataoneUser: z.string(),
  context: z.record(z.string(), z.unknown()),
});

let rig: Awaited<ReturnType<typeof createAuditRig>>;
let audit: RunningAudit;

beforeAll(async () => {
  rig = await createAuditRig();
  await rig.record.db.raw(platform);
  audit = await rig.start();
  await rig.record.append(events());
});
afterAll(async () => {
  await audit[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Two partners, a file system that both reach, and a name that has changed hands. */
const platform = `
  INSERT INTO directory.actors (name, definition) VALUES ('acme', '{}'), ('globex', '{}');
  INSERT INTO directory.partner_users (actor_id, name, groups, enabled, definition)
    SELECT a.id, u.name, '{}', true, '{}' FROM directory.actors a
      JOIN (VALUES ('acme', 'ann'), ('acme', 'moved'), ('globex', 'gil')) AS u (actor, name) ON u.actor = a.name;
  INSERT INTO directory.virtual_file_systems (actor_id, name, acl_enabled, definition)
    SELECT a.id, v.name, false, '{}' FROM directory.actors a
      JOIN (VALUES ('acme', 'acme files'), ('globex', 'globex files')) AS v (actor, name) ON v.actor = a.name;
  UPDATE directory.partner_users SET owned_since = '2026-01-01' ;
  UPDATE directory.virtual_file_systems SET owned_since = '2026-01-01';
  UPDATE directory.partner_users SET owned_since = '2026-03-01 12:00Z' WHERE name = 'moved';
  INSERT INTO directory.roles (name, definition)
    SELECT r.name, jsonb_build_object('name', r.name, 'description', '', 'permissions', '["activity:read"]'::jsonb, 'actors', r.actors)
      FROM (VALUES ('of acme', '["acme"]'::jsonb), ('of nothing', '["initech"]'::jsonb)) AS r (name, actors);
  UPDATE directory.manager_users SET roles = '{of acme}' WHERE name = 'viewer';
  UPDATE directory.manager_users SET roles = '{of nothing}' WHERE name = 'officer';
`;

type Row = readonly [id: string, fact: AuditedFact, user: string, context?: AuditContext, hour?: number];

/** \`acme\` in a name: whether a role that is limited to acme sees it. */
const rows: readonly Row[] = [
  ['acme login', 'serverLogin', 'ann'],
  ['acme upload', 'fileUploaded', 'ann', { virtualFileSystem: 'acme files', fileSize: 20, session: 's1' }],
  ['acme download by the other partner', 'fileDownloaded', 'gil', { virtualFileSystem: 'acme files' }],
  ['acme expiry', 'fileExpired', 'Waybill', { virtualFileSystem: 'acme files' }],
  ['acme login after the name changed hands', 'serverLogin', 'moved', {}, 13],
  ['before the name changed hands', 'serverLogin', 'moved', {}, 11],
  ['login', 'serverLogin', 'gil'],
  ['upload', 'fileUploaded', 'gil', { virtualFileSystem: 'globex files', fileSize: 30 }],
  ['upload by the user of acme', 'fileUploaded', 'ann', { virtualFileSystem: 'globex files', fileSize: 40 }],
  ['unknown file system', 'fileUploaded', 'ann', { virtualFileSystem: 'removed files' }],
  ['failed login of a stranger', 'serverLoginFailed', 'nobody'],
  ['job', 'jobSubmitted', 'ann'],
  ['session ended by a manager user of that name', 'sessionTerminated', 'ann'],
];

const ofAdministration: readonly Row[] = [
  ['administration: creation', 'entityCreated', 'ann'],
  ['administration: login', 'managerLogin', 'ann'],
  ['administration: refused login', 'managerLoginFailed', 'ann'],
  ['administration: read', 'auditLogRead', 'ann'],
  ['administration: key', 'userSshKeyDeleted', 'ann', { virtualFileSystem: 'acme files' }],
];

function events(of = [...rows, ...ofAdministration], entityName = '/inbox/a.csv'): IdentifiedEvent[] {
  return of.map(([entityId, fact, user, context = {}, hour = 14]) => {
    const circumstances = { nodeId: 'peer1', managerName: 'manager1', entityType: 'File', entityName };
    const payload = composeAuditEvent(fact, { ...circumstances, user, entityId, dfiid: 'flow' });
    return { id: uuidV7(), payload: { ...payload, context, auditTime: `2026-03-01T${hour}:00:00.000Z` } };
  });
}

const get = (role: 'Operators' | 'Users' | 'Auditors' | 'Security officers', query: Record<string, string>, to = '') =>
  audit.client.get(path + to, { query, bearer: rig.token(role) });

/** The ids of what is listed. The rig's user of the role Users is limited to acme. */
async function listed(role: Parameters<typeof get>[0], query: Record<string, string> = {}): Promise<string[]> {
  const response = await get(role, { page: '0', ...query });
  expect(response.status, response.text).toBe(200);
  return z
    .array(rowSchema)
    .parse(response.json())
    .map(({ entityId }) => entityId);
}

const ofAcme = rows.map(([id]) => id).filter((id) => id.startsWith('acme'));

it('operators see activity of all partners, with its circumstances, and nothing of the administration', async () => {
  expect((await listed('Operators')).toSorted()).toEqual(rows.map(([id]) => id).toSorted());
  const [upload] = z
    .array(rowSchema)
    .parse((await get('Operators', { page: '0', q: '{entityId="acme upload"}' })).json());
  expect(upload?.context).toEqual({ virtualFileSystem: 'acme files', fileSize: 20, session: 's1' });
  for (const code of ['AUD0001A', 'AUD0007A', 'AUD0117A'])
    expect(await listed('Operators', { q: `{auditCode="${code}"}` })).toEqual([]);
});

it('a role of one actor sees what belongs to it, whatever it filters and sorts by', async () => {
  const queries: Record<string, string>[] = [
    {},
    { q: '{dfiid="flow"}' },
    { q: '{clusterId="ENGINE"}', sort: '-auditTime' },
    { q: '{fromAuditTime="2026-03-01T00:00:00Z",toAuditTime="2026-03-02T00:00:00Z"}', sort: 'id' },
    ...['+auditTime', '-id', 'correlationId', 'auditCode', '-dataoneUser', 'auditOperation,entityName'].map((sort) => ({
      sort,
    })),
  ];
  for (const query of queries)
    expect((await listed('Users', query)).toSorted(), JSON.stringify(query)).toEqual(ofAcme.toSorted());
});

it('a role of one actor finds nothing by the names, places and ids of others', async () => {
  const hidden = rows.map(([id]) => id).filter((id) => !id.startsWith('acme'));
  for (const id of [...hidden, ...ofAdministration.map(([one]) => one)])
    expect(await listed('Users', { q: `{entityId="${id}"}` }), id).toEqual([]);
  expect(await listed('Users', { q: '{virtualFileSystem="globex files"}' })).toEqual([]);
  expect(await listed('Users', { q: '{dataoneUser="gil"}' })).toEqual(['acme download by the other partner']);
  expect(await listed('Users', { q: '{dataoneUser="nobody"}' })).toEqual([]);
  expect(await listed('Security officers')).toEqual([]);
});

it('those of one actor are found by its name, and not by roles of other actors', async () => {
  expect((await listed('Operators', { actor: 'acme' })).toSorted()).toEqual(ofAcme.toSorted());
  expect((await listed('Users', { actor: 'acme' })).toSorted()).toEqual(ofAcme.toSorted());
  expect(await listed('Operators', { actor: 'globex', q: '{entityId="upload by the user of acme"}' })).toHaveLength(1);
  for (const actor of ['globex', 'nobody']) expect(await listed('Users', { actor }), actor).toEqual([]);
  expect(await listed('Operators', { actor: 'nobody' })).toEqual([]);
  const counted = await get('Users', { actor: 'globex' }, '/counts');
  expect(counted.json()).toEqual([]);
  expect((await get('Operators', { page: '0', actor: 'a\0b' })).status).toBe(400);
});

it('records have the actor to whom they belong, if the name was the actor’s by then', async () => {
  const actorOf = async (id: string) =>
    z
      .array(z.object({ actor: z.string().nullable() }))
      .parse((await get('Operators', { page: '0', q: `{entityId="${id}"}` })).json())
      .map(({ actor }) => actor);
  expect(await actorOf('acme upload')).toEqual(['acme']);
  expect(await actorOf('acme download by the other partner')).toEqual(['acme']);
  expect(await actorOf('upload by the user of acme')).toEqual(['globex']);
  expect(await actorOf('login')).toEqual(['globex']);
  for (const id of ['unknown file system', 'before the name changed hands', 'failed login of a stranger'])
    expect(await actorOf(id), id).toEqual([null]);
});

it('files are found by their name alone, each once, with the newest record that matches', async () => {
  const name = { q: '{fileName="a.csv"}', files: 'true' };
  // All of these records are of one dataflow instance and one path in three file systems; those of a scope are newest of the scope.
  expect((await listed('Operators', name)).toSorted()).toEqual([
    'acme expiry',
    'unknown file system',
    'upload by the user of acme',
  ]);
  expect(await listed('Users', name)).toEqual(['acme expiry']);
  expect(await listed('Users', { ...name, q: '{fileName^="a.",auditCode="AUD0041A"}' })).toEqual(['acme upload']);
  expect(await listed('Operators', { ...name, actor: 'acme' })).toEqual(['acme expiry']);
  for (const q of ['{fileName="a"}', '{fileName="inbox"}', `{fileName="' OR true --"}`, '{fileName="%"}'])
    expect(await listed('Operators', { q, files: 'true' }), q).toEqual([]);
  // Records that are of no file are none of a file.
  expect(await listed('Operators', { q: '{auditCode="AUD0030A"}', files: 'true' })).toEqual([]);
  expect((await get('Operators', { page: '0', files: 'yes' })).status).toBe(400);
  const counted = await get('Users', { page: '0', ...name, total: 'true' });
  expect(counted.headers.get('x-total-count')).toBe('1');
});

it('pages and totals have no trace of the records of others', async () => {
  const first = await get('Users', { page: '0', limit: '3', sort: '+auditTime', total: 'true' });
  expect(first.headers.get('x-total-count')).toBe(String(ofAcme.length));
  const cursor = first.headers.get('x-next-cursor') ?? '';
  const found = [...z.array(rowSchema).parse(first.json())];
  found.push(
    ...z.array(rowSchema).parse((await get('Users', { page: '0', limit: '3', sort: '+auditTime', cursor })).json()),
  );
  expect(found.map(({ entityId }) => entityId).toSorted()).toEqual(ofAcme.toSorted());
});

it('counts are of the same records', async () => {
  const countSchema = z.array(z.object({ value: z.string().nullable(), count: z.number(), bytes: z.number() }));
  const count = async (role: Parameters<typeof get>[0], query: Record<string, string>) =>
    countSchema.parse((await get(role, { bytes: 'true', ...query }, '/counts')).json());
  const ofRole = await count('Users', { by: 'auditCode', unit: 'day' });
  expect(Object.fromEntries(ofRole.map(({ value, count: n, bytes }) => [value, [n, bytes]]))).toEqual({
    AUD0030A: [2, 0],
    AUD0041A: [1, 20],
    AUD0042A: [1, 0],
    AUD0044A: [1, 0],
  });
  const all = await count('Operators', { unit: 'day' });
  expect(all.map(({ count: n, bytes }) => [n, bytes])).toEqual([[rows.length, 90]]);
});

it('a user of another actor, or one who was removed, takes the records along at once', async () => {
  const change = (sql: string) => rig.record.db.raw(sql);
  await change(
    "UPDATE directory.partner_users SET actor_id = (SELECT id FROM directory.actors WHERE name = 'globex') WHERE name = 'ann'",
  );
  expect(await listed('Users', { q: '{entityId="acme login"}' })).toEqual([]);
  await change(
    "UPDATE directory.partner_users SET actor_id = (SELECT id FROM directory.actors WHERE name = 'acme') WHERE name = 'ann'",
  );
  // From now on only: what has happened before may have been somebody else's.
  expect(await listed('Users', { q: '{entityId="acme login"}' })).toEqual([]);
  await change("UPDATE directory.virtual_file_systems SET retired_at = now() WHERE name = 'acme files'");
  expect(await listed('Users', { q: '{virtualFileSystem="acme files"}' })).toEqual([]);
});

it('an upload and what a job has made of it are two files, also at the same path of another file system', async () => {
  const [acme, globex] = [{ virtualFileSystem: 'acme files' }, { virtualFileSystem: 'globex files' }];
  const uploads: Row[] = [
    ['sent', 'fileUploaded', 'gil', globex, 15],
    ['routed', 'fileUploaded', 'gil', acme, 16],
  ];
  await rig.record.append([
    ...events(uploads, '/inbox/b.csv'),
    ...events([['packed', 'fileUploaded', 'gil', globex, 17]], '/inbox/b.csv.gz'),
    ...events([['read', 'fileDownloaded', 'gil', globex, 18]], '/inbox/b.csv'),
  ]);
  const files = { q: '{fileName^="b.csv"}', files: 'true', sort: '-auditTime' };
  expect(await listed('Operators', files)).toEqual(['read', 'packed', 'routed']);
  const first = await get('Operators', { page: '0', ...files, limit: '2', total: 'true' });
  expect(first.headers.get('x-total-count')).toBe('3');
  expect(await listed('Operators', { ...files, cursor: first.headers.get('x-next-cursor') ?? '' })).toEqual(['routed']);
  // The record of a file that has expired may not say of which file system it was.
  await rig.record.append(events([['expired', 'fileExpired', 'Waybill', {}, 19]], '/inbox/b.csv.gz'));
  expect(await listed('Operators', files)).toEqual(['expired', 'read', 'routed']);
});

it('those without the permission are refused', async () => {
  expect((await get('Auditors', { page: '0' })).status).toBe(403);
  expect((await get('Auditors', {}, '/counts')).status).toBe(403);
});
