import { verifyPassword } from '@waybill/access/verify-password';
import { versionOf } from '@waybill/directory/administration/entity-version';
import { deleteEntity, putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { administratorOf, openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;
let writer: EntityWriter;

beforeEach(async () => {
  platform = await openTestPlatform();
  writer = administratorOf(platform);
  await platform.apply(demoPlatform());
  await platform.takeAuditEvents();
});

afterEach(async () => {
  await platform.close();
});

const put = (target: EntityTarget, settings: object, conditions = {}) =>
  putEntity(writer, target, { settings: () => settings, ...conditions });

const user = (name: string): EntityTarget => ({ entityType: 'External User', name, actor: 'acme' });

const failureOf = async (written: Promise<unknown>): Promise<unknown> =>
  written.then(
    () => 'written',
    (error: unknown) => error,
  );

describe('one entity', () => {
  it('of an actor has the errors of all settings, and is offered none that belongs to what the actor has', async () => {
    const settings = { type: 'Partner', shoeSize: 1, users: [] };
    expect(await failureOf(put({ entityType: 'Actor', name: 'hooli' }, settings))).toMatchObject({
      code: 'validation_failed',
      fields: [
        { field: 'shoeSize', message: 'unknown key shoeSize; known are name, description, type, accountPolicy' },
        { field: 'users', message: 'is written one by one' },
      ],
    });
  });

  it('is created, modified and deleted for the API, and audited with its difference; a source never removes it', async () => {
    const created = await put(user('bob'), { groups: ['clerks'], password: 'a long password' });
    expect(created).toMatchObject({
      change: { change: 'created', entityName: 'bob' },
      entity: { source: null, definition: { name: 'bob', actor: 'acme', groups: ['clerks'], enabled: true } },
    });
    const [stored] = await platform.query("SELECT password_hash FROM directory.partner_users WHERE name = 'bob'");
    expect(await verifyPassword(String(stored?.['password_hash']), 'a long password')).toBe(true);

    const modified = await put(user('bob'), { groups: [] });
    expect(modified).toMatchObject({ change: { change: 'modified', fields: ['groups'] } });
    const [kept] = await platform.query("SELECT password_hash FROM directory.partner_users WHERE name = 'bob'");
    expect(kept).toEqual(stored);
    expect(await put(user('bob'), { groups: [] })).toMatchObject({ change: undefined });
    expect(await platform.apply(demoPlatform())).toEqual([]);

    const before = await platform.takeAuditEvents();
    expect(before.map(({ auditCode, dataoneUser, entityName }) => [auditCode, dataoneUser, entityName])).toEqual([
      ['AUD0001A', 'admin', 'bob'],
      ['AUD0003A', 'admin', 'bob'],
    ]);
    expect(before[1]?.context).toMatchObject({ difference: expect.stringContaining('clerks') });
    expect(await deleteEntity(writer, user('bob'), {})).toMatchObject({ change: { change: 'deleted' } });
    expect(await platform.query("SELECT 1 FROM directory.partner_users WHERE name = 'bob'")).toEqual([]);
    expect(await failureOf(deleteEntity(writer, user('bob'), {}))).toMatchObject({ code: 'entity_unknown' });
  });

  it('with invalid settings is refused with the names of the settings', async () => {
    expect(await failureOf(put(user('bob'), { groups: 'clerks', color: 'red' }))).toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'groups' }, { field: 'color' }],
    });
    expect(await failureOf(put({ entityType: 'Job Queue', name: 'Fast' }, { priority: 11 }))).toMatchObject({
      fields: [{ field: 'priority' }],
    });
    const networks = ['10.0.0.0/8', '10.0.0.0/33', '10.0.0.256', '2001:db8::/129', ' 10.0.0.1', '10.0.0.0/08', '', 7];
    expect(await failureOf(put(user('bob'), { networks, expires: '2027-02-30' }))).toMatchObject({
      fields: [
        ...[1, 2, 3, 4, 5, 6, 7].map((at) => ({
          field: `networks[${at}]`,
          message: expect.stringContaining('is neither an address nor a network'),
        })),
        { field: 'expires', message: expect.stringContaining('is neither a day') },
      ],
    });
    expect(await failureOf(put(user('bob'), { networks: [] }))).toMatchObject({
      fields: [{ field: 'networks', message: expect.stringContaining('leave it out to allow any') }],
    });
    const many = Array.from({ length: 1_001 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);
    expect(await failureOf(put(user('bob'), { networks: many }))).toMatchObject({ fields: [{ field: 'networks' }] });
    expect(await put(user('near'), { networks: many.slice(1) })).toMatchObject({
      entity: { definition: { networks: many.slice(1) } },
    });
    const clauses = [{ user: 'acme', vfs: 'acme-fles', mountPath: '/other' }];
    const contract = { cluster: 'cluster1', server: 'sftp-server', clauses };
    const target: EntityTarget = { entityType: 'Connection Contract', name: 'second', actor: 'acme' };
    expect(await failureOf(put(target, contract))).toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'clauses[0].vfs', message: expect.stringContaining('has no VFS acme-fles') }],
    });
    expect(
      await failureOf(put({ entityType: 'Actor', name: 'umbrella' }, { type: 'Partner', users: [] })),
    ).toMatchObject({
      fields: [{ field: 'users' }],
    });
    const nowhere: EntityTarget = { entityType: 'External User', name: 'bob', actor: 'nobody' };
    expect(await failureOf(put(nowhere, {}))).toMatchObject({
      fields: [{ message: expect.stringContaining('there is no actor nobody') }],
    });
    expect(await failureOf(put({ entityType: 'VFS', name: 'free' }, {}))).toMatchObject({
      fields: [{ field: 'actor' }],
    });
  });

  it('of a source cannot be changed: the error names the source', async () => {
    const owned = { code: 'entity_owned', names: { source: 'default' } };
    expect(await failureOf(put(user('acme'), { groups: [] }))).toMatchObject(owned);
    expect(await failureOf(deleteEntity(writer, user('acme'), {}))).toMatchObject(owned);
    expect(await failureOf(put(user('globex'), { groups: [] }))).toMatchObject(owned);
  });

  it('stays with its actor', async () => {
    await put(user('bob'), {});
    const moved: EntityTarget = { entityType: 'External User', name: 'bob', actor: 'globex' };
    expect(await failureOf(put(moved, {}))).toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'actor', message: expect.stringContaining('belongs to the actor "acme"') }],
    });
  });

  it('that is in use cannot be deleted: the error names what uses it', async () => {
    await platform.query('UPDATE directory.job_queues SET source = NULL');
    await platform.query('UPDATE directory.actors SET source = NULL');
    await platform.query('UPDATE directory.manager_users SET source = NULL');
    const queue: EntityTarget = { entityType: 'Job Queue', name: 'Slow' };
    expect(await failureOf(deleteEntity(writer, queue, {}))).toMatchObject({
      code: 'entity_in_use',
      fields: [{ message: 'Contract invoices of the source default: there is no queue Slow' }],
    });
    const actor: EntityTarget = { entityType: 'Actor', name: 'globex' };
    expect(await failureOf(deleteEntity(writer, actor, {}))).toMatchObject({
      code: 'entity_in_use',
      fields: [
        { field: '', message: 'External User globex of the source default belongs to the actor globex' },
        { field: '', message: 'VFS globex-files of the source default belongs to the actor globex' },
      ],
    });
    const admin: EntityTarget = { entityType: 'Internal User', name: 'admin' };
    expect(await failureOf(deleteEntity(writer, admin, {}))).toMatchObject({
      code: 'entity_in_use',
      message: expect.stringContaining('no enabled user has the role Administrators'),
    });
  });

  it('is written only if the conditions on its version are met', async () => {
    const { entity } = await put(user('bob'), { groups: ['clerks'] });
    const version = entity ? versionOf(entity) : '';
    expect(await failureOf(put(user('bob'), {}, { ifAbsent: true }))).toMatchObject({ code: 'entity_exists' });
    expect(await failureOf(put(user('bob'), {}, { ifMatch: ['other'] }))).toMatchObject({
      code: 'precondition_failed',
    });
    expect(await put(user('bob'), {}, { ifMatch: ['other', version] })).toMatchObject({
      change: { fields: ['groups'] },
    });
    expect(await failureOf(deleteEntity(writer, user('bob'), { ifMatch: [version] }))).toMatchObject({
      code: 'precondition_failed',
    });
    const owned = 'The External User acme exists already, and belongs to the source default';
    expect(await failureOf(put(user('acme'), {}, { ifAbsent: true }))).toMatchObject({
      code: 'entity_exists',
      names: { source: 'default' },
      message: expect.stringContaining(owned),
    });
    expect(await failureOf(put(user('tom'), {}, { ifMatch: ['*'] }))).toMatchObject({ code: 'precondition_failed' });
  });

  it('is created once when many create it at the same time', async () => {
    const attempts = Array.from({ length: 5 }, () => failureOf(put(user('bob'), {}, { ifAbsent: true })));
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1);
  });
});
