import { grantsOf } from '@waybill/access/principal';
import { deleteEntity, putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expecting, faultsOf } from './access-test-documents.ts';
import { demoPlatform } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;
let writer: EntityWriter;

beforeEach(async () => {
  platform = await openTestPlatform();
  const by = { user: 'admin', nodeId: 'node1', managerName: 'manager1' };
  const rights = { grants: grantsOf(['Administrators']), actors: undefined };
  writer = { db: platform.db, files: platform.files, by, rights };
});

afterEach(async () => {
  await platform.close();
});

const target = (entityType: EntityTarget['entityType'], name: string): EntityTarget => ({
  entityType,
  name,
  ...(entityType === 'Access Test' ? {} : { actor: 'acme' }),
});

const put = (entity: EntityTarget, settings: object) =>
  faultsOf(putEntity(writer, entity, { settings: () => settings }));

const viaAcme = [
  'Connection Contract acme-sftp is enabled, and for this server',
  'clauses[0] of acme-sftp connects group clerks to acme-files',
];

describe('access tests', () => {
  it('that hold are applied like everything else, and change nothing the second time', async () => {
    const tested = expecting(
      'acme may upload /inbox/**',
      'acme may list /**',
      'acme may not download /**',
      'acme may not delete / over SFTP',
      'acme may not list /** over HTTP',
      'acme-2 may not list /',
      'globex may not list /',
    );
    expect(linesOf(await platform.apply(tested))).toContain('created Access Test rules');
    expect(await platform.apply(tested)).toEqual([]);
    expect(linesOf(await platform.apply(demoPlatform()))).toEqual(['deleted Access Test rules']);
  });

  it.each([
    [
      'acme may download /inbox/x',
      `on cluster1/sftp-server, at /inbox/x: ${[
        ...viaAcme,
        "'/inbox/x' is '/inbox/x' of what is mounted on '/'",
        'ACLs are enabled on acme-files',
        'The rule on /inbox of acme-files does not grant download to user acme',
      ].join('; ')}`,
    ],
    [
      'acme may not upload /**',
      `on cluster1/sftp-server, at /inbox/any: ${[
        ...viaAcme,
        "'/inbox/any' is '/inbox/any' of what is mounted on '/'",
        'ACLs are enabled on acme-files',
        'The rule on /inbox of acme-files grants upload to group clerks',
      ].join('; ')}`,
    ],
    ['acme-2 may list /', 'on cluster1/sftp-server, at /: Connection Contract acme-sftp has no clause for user acme-2'],
    ['globex may list /', 'on cluster1/sftp-server, at /: Actor globex has no Connection Contract'],
    [
      'acme may list / over HTTP',
      'on cluster1/http-server, at /: Connection Contract acme-sftp is for the server cluster1/sftp-server',
    ],
    ['umbrella may not list /', 'there is no user umbrella of an actor'],
  ])('refuse a plan that breaks them, and say which rules decide: %s', async (sentence, reason) => {
    const broken = [
      'configuration_invalid',
      [{ field: 'accessTests[0].expect[1]', message: `expected: ${sentence}; but ${reason}` }],
    ];
    expect(await faultsOf(platform.plan(expecting('acme may list /', sentence)))).toEqual(broken);
    expect(await faultsOf(platform.apply(expecting('acme may list /', sentence)))).toEqual(broken);
    expect(await platform.query('SELECT FROM directory.access_tests')).toEqual([]);
  });

  it('refuse changes over the API, of whatever they are about', async () => {
    const [acme, ...others] = demoPlatform().actors;
    const clerks = acme?.users.map((user) => ({ ...user, groups: ['clerks'] }));
    const tested = expecting('acme may upload /inbox/x', 'acme may not delete /**');
    await platform.apply({ ...tested, actors: [{ ...acme, users: clerks }, ...others] });
    await platform.query('UPDATE directory.partner_users SET source = NULL');
    await platform.query('UPDATE directory.virtual_file_systems SET source = NULL');
    await platform.query('UPDATE directory.connection_contracts SET source = NULL');
    const inUse = (message: string) => [
      'entity_in_use',
      [expect.objectContaining({ message: expect.stringContaining(message) })],
    ];
    const promised = 'Access Test rules of the source default: expected: acme may upload /inbox/x; but';

    expect(await put(target('External User', 'acme'), { groups: [] })).toEqual(inUse(promised));
    expect(await put(target('External User', 'acme'), { groups: ['clerks'], enabled: false })).toEqual(
      inUse(`${promised} user acme is disabled`),
    );
    expect(await put(target('VFS', 'acme-files'), { acl: [] })).toEqual(inUse('has no rule on /inbox/x or above it'));
    expect(await put(target('VFS', 'acme-files'), {})).toEqual(inUse('expected: acme may not delete /**'));
    const contract = { cluster: 'cluster1', server: 'sftp-server', clauses: [{ group: 'clerks', vfs: 'acme-files' }] };
    expect(await put(target('Connection Contract', 'acme-sftp'), { ...contract, enabled: false })).toEqual(
      inUse('Connection Contract acme-sftp is disabled'),
    );
    expect(await faultsOf(deleteEntity(writer, target('Connection Contract', 'acme-sftp'), {}))).toEqual(
      inUse('Actor acme has no Connection Contract'),
    );
    expect(await put(target('Connection Contract', 'acme-sftp'), contract)).toBe('done');
    expect(await put(target('External User', 'acme-2'), { groups: [], enabled: false })).toBe('done');
  });

  it('that an older version has stored and this one cannot read hold nothing, until they are corrected', async () => {
    await platform.apply(demoPlatform());
    const rules = target('Access Test', 'rules');
    expect(await put(rules, { expect: ['acme may list /'] })).toBe('done');
    await platform.query(
      `UPDATE directory.access_tests SET definition = jsonb_set(definition, '{expect}', '["acme may list / from home"]')`,
    );
    expect(await put({ entityType: 'Actor', name: 'new' }, { type: 'Partner' })).toEqual([
      'entity_in_use',
      [expect.objectContaining({ message: expect.stringContaining('but it has no IP address at its end') })],
    ]);
    expect(await put(rules, { expect: ['acme may list /'] })).toBe('done');
    expect(await put({ entityType: 'Actor', name: 'new' }, { type: 'Partner' })).toBe('done');
  });

  it('are written over the API, if they hold', async () => {
    await platform.apply(demoPlatform());
    const rules = target('Access Test', 'rules');
    expect(await put(rules, { expect: ['acme may list /', 'acme may rename /inbox/**'] })).toEqual([
      'validation_failed',
      [{ field: 'expect[1]', message: expect.stringContaining('does not grant rename to user acme') }],
    ]);
    expect(await put(rules, { expect: 'acme may flee /' })).toEqual([
      'validation_failed',
      [{ field: 'expect[0]', message: expect.stringContaining('is not of the form') }],
    ]);
    expect(await put(rules, { expect: 'acme may list /' })).toBe('done');
    const silent = {
      ...demoPlatform(),
      actors: demoPlatform().actors.map((actor) => ({ ...actor, connectionContracts: [] })),
    };
    expect(await faultsOf(platform.plan(silent))).toEqual([
      'configuration_invalid',
      [
        {
          field: '',
          message: expect.stringMatching(/^Access Test rules of the API: expected: acme may list \/; but/u),
        },
      ],
    ]);
    expect(await faultsOf(deleteEntity(writer, rules, {}))).toBe('done');
    expect(await faultsOf(platform.plan(silent))).toBe('done');
  });

  it('do not depend on what administrators do at run time', async () => {
    await platform.apply(expecting('acme may list /'));
    await platform.query("INSERT INTO directory.frozen_users (user_name, frozen_by) VALUES ('acme', 'admin')");
    expect(await platform.apply(expecting('acme may list /'))).toEqual([]);
  });
});
