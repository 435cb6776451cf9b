import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

/** Canaries: passwords, a value from the environment, and a variable with the name of a secret. */
const secrets = {
  manager: 'canary-of-manager',
  user: 'canary-of-user',
  environment: 'canary-of-environment',
  variable: 'canary-of-variable',
};
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
const differenceSchema = z.record(z.enum(['before', 'after']), z.record(z.string(), z.unknown()).optional());

function platformWithEverything() {
  const platform = demoPlatform();
  const [acme] = platform.actors;
  if (acme === undefined) throw new Error('the demo platform has actors');
  Object.assign(acme.users[0] ?? {}, { password: secrets.user, publicKeys: [{ key: publicKey }] });
  for (const action of acme.contracts[0]?.actions ?? []) {
    Object.assign(action, { variables: { folder: secrets.environment, apiKey: secrets.variable } });
  }
  const hostKeys = ['SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'];
  const connection = { type: 'sftp', host: 'a.example', username: 'u', password: 'secret://acme-password', hostKeys };
  const groups = [{ name: 'clerks', networks: ['10.0.0.0/8'] }];
  return {
    ...platform,
    managerUsers: platform.managerUsers.map((user) => ({ ...user, password: secrets.manager })),
    storageClasses: [{ name: 'cold', type: 'local', folder: '/srv/cold' }],
    clientConnections: [{ name: 'mail', type: 'smtp', host: 'mail.example', from: 'a@b.example' }],
    actors: [{ ...acme, groups, description: 'A', clientConnections: [{ name: 'acme-sftp', ...connection }] }],
  };
}

function modified(): object {
  const text = JSON.stringify(platformWithEverything())
    .replace('"protocol":"HTTP"', '"protocol":"HTTP","maxSessions":7')
    .replace('"parallelism":1', '"parallelism":2')
    .replace('"source":"a"', '"source":"c"')
    .replace('["Administrators"]', '["Administrators","Auditors"]')
    .replace('"description":"A"', '"description":"B"')
    .replace('"groups":["clerks"]', '"groups":["clerks","admins"]')
    .replace('"networks":["10.0.0.0/8"]', '"networks":["11.0.0.0/8"]')
    .replace('"folders":["/inbox"]', '"folders":["/inbox","/outbox"]')
    .replace('"clauses":[{"group":"clerks"', '"clauses":[{"group":"admins"')
    .replace('"host":"a.example"', '"host":"b.example"')
    .replace('"filePattern":"*.csv"', '"filePattern":"*.xml"');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

let platform: TestPlatform;
let created: AuditEvent[];
let changed: AuditEvent[];
let deleted: AuditEvent[];

beforeAll(async () => {
  platform = await openTestPlatform({ filled: new Set([secrets.environment]) });
  const apply = async (configuration: object) => {
    await platform.apply(configuration);
    return await platform.takeAuditEvents();
  };
  created = await apply(platformWithEverything());
  changed = await apply(modified());
  const { manager, clusters, managerUsers } = demoPlatform();
  deleted = await apply({ manager, clusters, managerUsers: managerUsers.slice(0, 1), actors: [] });
});
afterAll(() => platform.close());

function theOneOf(events: readonly AuditEvent[], entityType: string, entityName: string): AuditEvent {
  const [event, ...others] = events.filter((one) => one.entityType === entityType && one.entityName === entityName);
  if (event === undefined) throw new Error(`nothing is recorded of ${entityType} ${entityName}`);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ dataoneUser: 'operator', nodeId: 'node1', clusterId: 'MANAGER' });
  return event;
}

function differenceOf({ context }: AuditEvent) {
  return differenceSchema.parse(JSON.parse(context?.difference ?? 'null'));
}

const entities: readonly [type: string, name: string, place: string, before: unknown, after: unknown][] = [
  ['Cluster', 'cluster1', 'servers[http-server].maxSessions', undefined, 7],
  ['Job Queue', 'Slow', 'parallelism', 1, 2],
  ['Workflow Template', 'pack', 'steps[one].with.source', '(not shown)', 'c'],
  ['Internal User', 'admin', 'roles', ['Administrators'], ['Administrators', 'Auditors']],
  ['Actor', 'acme', 'description', 'A', 'B'],
  ['External User', 'acme', 'groups', ['clerks'], ['clerks', 'admins']],
  ['Group', 'clerks', 'networks', ['10.0.0.0/8'], ['11.0.0.0/8']],
  ['VFS', 'acme-files', 'folders', ['/inbox'], ['/inbox', '/outbox']],
  ['Connection Contract', 'acme-sftp', 'clauses[0].group', 'clerks', 'admins'],
  ['Client Connection', 'acme-sftp', 'host', 'a.example', 'b.example'],
  ['Contract', 'invoices', 'actions[arrived].trigger.filePattern', '*.csv', '*.xml'],
];
const names = entities.map(([type, name]): [string, string] => [type, name]);

it.each(entities)('a modified %s %s is one record with %s before and after', (type, name, place, before, after) => {
  const event = theOneOf(changed, type, name);
  expect(event).toMatchObject({ auditCode: 'AUD0003A', auditOperation: 'MODIFY' });
  expect(differenceOf(event)).toEqual({
    before: before === undefined ? {} : { [place]: before },
    after: { [place]: after },
  });
});

it('nothing else is recorded of that change', () => {
  expect(changed).toHaveLength(entities.length);
});

it.each([...names, ['Storage Class', 'cold'], ['Client Connection', 'mail']])(
  'a created %s %s is one record with its settings',
  (type, name) => {
    const event = theOneOf(created, type, name);
    expect(event).toMatchObject({ auditCode: 'AUD0001A', auditOperation: 'CREATE' });
    expect(differenceOf(event)).toEqual({ after: expect.objectContaining({ name }) });
  },
);

it.each([
  ...names.filter(([type]) => type !== 'Cluster' && type !== 'Internal User'),
  ['Storage Class', 'cold'],
  ['Internal User', 'viewer'],
])('a deleted %s %s is one record with its former settings', (type, name) => {
  const event = theOneOf(deleted, type, name);
  expect(event).toMatchObject({ auditCode: 'AUD0005A', auditOperation: 'DELETE' });
  expect(differenceOf(event)).toEqual({ before: expect.objectContaining({ name }) });
});

it('the record of a user names public keys, and that of a connection its secret', () => {
  expect(differenceOf(theOneOf(created, 'External User', 'acme')).after?.['publicKeys']).toEqual([
    expect.objectContaining({ key: publicKey }),
  ]);
  expect(JSON.stringify(differenceOf(theOneOf(created, 'Client Connection', 'acme-sftp')))).toContain('acme-password');
});

it('no record has a secret or the hash of one', async () => {
  const hashes = await platform.query(
    'SELECT password_hash AS hash FROM directory.manager_users UNION ALL SELECT password_hash FROM directory.partner_users',
  );
  const events = [...created, ...changed, ...deleted];
  const text = JSON.stringify(events);
  for (const canary of Object.values(secrets)) expect(text).not.toContain(canary);
  for (const { hash } of hashes) expect(text).not.toContain(String(hash));
  expect(text).not.toMatch(/\$(?:scrypt|argon2)/u);
  expect(text).toContain('(not shown)');
});
