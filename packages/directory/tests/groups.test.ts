import { grantsOf } from '@waybill/access/principal';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { deleteEntity, putEntity, rehearseWrites } from '@waybill/directory/administration/write-entity';
import type { EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import { explainAccess } from '@waybill/directory/explain/explain-access';
import { exportSources } from '@waybill/directory/export-source';
import { openDirectory } from '@waybill/directory/open-directory';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;
let writer: EntityWriter;
const acme = userNameSchema.parse('acme');
const place = { cluster: 'cluster1', server: 'sftp-server' };

beforeAll(async () => {
  platform = await openTestPlatform();
  const rights = { grants: grantsOf(['Administrators']), actors: undefined };
  const by = { user: 'admin', nodeId: 'node1', managerName: 'manager1' };
  writer = { db: platform.db, files: platform.files, by, rights };
});
afterAll(() => platform.close());

/** The demo, in which the group `clerks` of `acme` has these settings. */
function withGroup(settings: object, own: object = {}) {
  const next = demoPlatform();
  Object.assign(next.actors[0]!, { groups: [{ name: 'clerks', ...settings }] });
  Object.assign(next.actors[0]!.users[0]!, own);
  return next;
}

const openNow = () => openDirectory({ db: platform.db, cacheMs: 0 });
const group: EntityTarget = { entityType: 'Group', name: 'clerks', actor: 'acme' };

describe('a group', () => {
  it('is of one actor, applied with its difference, and no change when it is applied again', async () => {
    await platform.apply(demoPlatform());
    await platform.takeAuditEvents();
    const defined = withGroup({ description: 'At the desk', maxSessions: 3 });
    expect(await platform.plan(defined)).toMatchObject([{ change: 'created', entityType: 'Group' }]);
    await platform.apply(defined);
    expect(await platform.plan(defined)).toEqual([]);
    await platform.apply(withGroup({ description: 'At the desk', maxSessions: 4 }));
    const events = await platform.takeAuditEvents();
    expect(events.map(({ entityType, entityName }) => [entityType, entityName])).toEqual([
      ['Group', 'clerks'],
      ['Group', 'clerks'],
    ]);
    expect(JSON.stringify(events)).toContain('maxSessions');
    const globex = await openNow().findPartnerUser(userNameSchema.parse('globex'));
    expect(globex).toMatchObject({ groups: ['clerks'], maxSessions: null });
  });

  it('comes back from an export as it was', async () => {
    const defined = withGroup({ networks: ['10.0.0.0/8'], expires: '2999-12-31', enabled: false });
    await platform.apply(defined);
    const document = JSON.stringify(await exportSources(platform.db, 'default'));
    const exported = '{"name":"clerks","enabled":false,"expires":"3000-01-01T00:00:00.000Z","networks":["10.0.0.0/8"]}';
    expect(document).toContain(`"groups":[${exported}]`);
    expect(await platform.plan(defined)).toEqual([]);
  });

  it.each([
    ['without settings', {}, ['10.1.2.3', '11.1.2.3'], null, true],
    ['with limits', { networks: ['10.0.0.0/8'], maxSessions: 2 }, ['10.1.2.3'], 2, true],
    ['that is disabled', { enabled: false, networks: ['10.0.0.0/8'] }, ['10.1.2.3'], null, false],
    ['that has expired', { expires: '2001-01-01', maxSessions: 2 }, ['10.1.2.3', '11.1.2.3'], 2, false],
  ])('%s gives its members what names it, and limits them', async (_what, settings, allowed, maxSessions, gives) => {
    await platform.apply(withGroup(settings));
    const directory = openNow();
    const addresses = ['10.1.2.3', '11.1.2.3'];
    const found = await Promise.all(addresses.map((from) => directory.authenticatePartnerUser(acme, 'demo', from)));
    expect(addresses.filter((_from, at) => found[at] !== undefined)).toEqual(allowed);
    const user = await directory.findPartnerUser(acme);
    expect(user).toMatchObject({ maxSessions, enabled: true });
    const mounts = directory.openMounts({ id: String(user?.id) }, place);
    if (!gives) return await expect(mounts).rejects.toMatchObject({ code: 'connection_contract_missing' });
    expect((await mounts).decide(parseVirtualPath('/inbox/a'), 'upload').allowed).toBe(true);
  });

  it('that has ended leaves what a clause of the same place gives the user, and takes what its grants give', async () => {
    const next = withGroup({ enabled: false });
    next.actors[0]!.connectionContracts[0]!.clauses.push({ user: 'acme', vfs: 'acme-files' });
    await platform.apply(next);
    const user = await openNow().findPartnerUser(acme);
    const mounts = await openNow().openMounts({ id: String(user?.id) }, place);
    expect(mounts.mounts).toMatchObject([{ mountPath: '/', clause: { position: 1, user: 'acme' } }]);
    expect(mounts.decide(parseVirtualPath('/'), 'list').allowed).toBe(true);
    expect(mounts.decide(parseVirtualPath('/inbox/a'), 'upload').allowed).toBe(false);
  });

  it('is replaced by what a member sets', async () => {
    const limits = { networks: ['10.0.0.0/8'], maxSessions: 2 };
    await platform.apply(withGroup(limits, { networks: ['192.0.2.1'], maxSessions: 7 }));
    expect(await openNow().findPartnerUser(acme)).toMatchObject({
      maxSessions: 7,
      networks: [{ group: undefined, networks: ['192.0.2.1'] }],
    });
  });
});

describe('an explanation', () => {
  const others = { hasSecondFactor: async () => false, judgeAddress: async () => [], judgeLimits: async () => [] };
  const explain = async (path: string, address?: string) => {
    const question = { user: acme, protocol: 'SFTP', operation: 'upload', path: parseVirtualPath(path) } as const;
    const { allowed, rules } = await explainAccess(platform.db, { ...question, address }, others);
    const named = rules.filter(({ rule }) => rule === 'network' || rule === 'group');
    return [allowed, ...named.map(({ rule, name, allows, why }) => `${rule} ${name} ${allows}: ${why}`)];
  };

  it('names the groups that limit, and those that have ended', async () => {
    await platform.apply(withGroup({ networks: ['10.0.0.0/8'] }));
    const listed = 'in the networks of group clerks: 10.0.0.0/8';
    expect(await explain('/inbox/a', '10.0.0.1')).toEqual([true, `network 10.0.0.1 true: 10.0.0.1 is ${listed}`]);
    expect(await explain('/inbox/a', '11.0.0.1')).toEqual([false, `network 11.0.0.1 false: 11.0.0.1 is not ${listed}`]);
    const nothing = 'clauses and permissions that name it give its members nothing';
    await platform.apply(withGroup({ enabled: false }));
    expect(await explain('/inbox/a')).toEqual([
      false,
      `group clerks false: Group clerks of actor acme is disabled: ${nothing}`,
    ]);
    const next = withGroup({ expires: '2025-12-31' });
    next.actors[0]!.connectionContracts[0]!.clauses = [{ user: 'acme', vfs: 'acme-files' }];
    await platform.apply(next);
    expect(await explain('/inbox/a')).toEqual([
      false,
      `group clerks false: Group clerks of actor acme has expired at 2026-01-01T00:00:00.000Z: ${nothing}`,
    ]);
  });
});

describe('over the API', () => {
  const put = (settings: object) => putEntity(writer, group, { settings: () => settings });
  const codeOf = async (written: Promise<unknown>): Promise<unknown> =>
    written.then(
      () => 'written',
      (error: unknown) => error,
    );

  it('a group that users, clauses or rules name is not deleted, and the answer names these; a changed one can be', async () => {
    await platform.apply(demoPlatform());
    expect(await put({ maxSessions: 3 })).toMatchObject({ change: { change: 'created' }, entity: { source: null } });
    expect(await codeOf(deleteEntity(writer, group, {}))).toMatchObject({
      code: 'entity_in_use',
      message: expect.stringContaining('Connection Contract acme-sftp, VFS acme-files, user acme.'),
    });
    const { uses } = await rehearseWrites(writer, [{ target: group, settings: () => ({ maxSessions: 4 }) }]);
    expect(uses.map(({ entityType, name, setting }) => `${entityType} ${name} ${setting}`)).toEqual([
      'External User acme groups[0]',
      'VFS acme-files acl[1].grants[0].group',
      'Connection Contract acme-sftp clauses[0].group',
    ]);
    const unused: EntityTarget = { ...group, name: 'drivers' };
    await putEntity(writer, unused, { settings: () => ({}) });
    expect(await codeOf(deleteEntity(writer, unused, {}))).toBe('written');
    await platform.query('UPDATE directory.user_groups SET source = NULL');
    await platform.query('DELETE FROM directory.user_groups');
  });

  it('a clause can name a group that is defined and has no members, and then the group stays', async () => {
    const next = withGroup({});
    next.actors[0]!.users[0]!.groups = [];
    await platform.apply(next);
    const without = { ...next, actors: next.actors.map((actor) => ({ ...actor, groups: [] })) };
    await expect(platform.plan(without)).rejects.toMatchObject({
      fields: expect.arrayContaining([
        {
          field: 'actors[0].connectionContracts[0].clauses[0].group',
          message: 'actor acme has no group clerks',
        },
      ]),
    });
  });

  it('refuses settings that a group cannot have, and an actor that does not exist', async () => {
    await platform.apply(demoPlatform());
    const wrong = { networks: [], maxSessions: 0, expires: 'soon', enabled: 'yes', roles: ['Administrators'] };
    const error = await codeOf(put(wrong));
    expect(error).toMatchObject({ code: 'validation_failed' });
    const { fields } = error as { fields: { field: string }[] };
    expect(fields.map(({ field }) => field).toSorted()).toEqual(Object.keys(wrong).toSorted());
    const elsewhere = putEntity(writer, { ...group, actor: 'nobody' }, { settings: () => ({}) });
    expect(await codeOf(elsewhere)).toMatchObject({ code: 'entity_in_use' });
  });
});

it('a source does not remove a group in which users of another owner are', async () => {
  await platform.apply(withGroup({ networks: ['10.0.0.0/8'] }));
  await platform.query("UPDATE directory.partner_users SET source = NULL WHERE name = 'acme'");
  const own = demoPlatform();
  own.actors[0]!.users.shift();
  await expect(platform.plan(own)).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: expect.stringContaining('Group clerks cannot be removed: it is used by user acme.'),
  });
  await platform.query("UPDATE directory.partner_users SET source = 'default' WHERE name = 'acme'");
  expect(await platform.plan(demoPlatform())).toMatchObject([{ change: 'deleted', entityType: 'Group' }]);
});
