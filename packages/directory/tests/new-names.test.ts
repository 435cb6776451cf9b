import { deleteEntity, putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { administratorOf, openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const hidden = 'ad\u200Bmin';
const fault = 'has the character U+200B, which is not seen';

let platform: TestPlatform;
let writer: EntityWriter;

beforeEach(async () => {
  platform = await openTestPlatform();
  writer = administratorOf(platform);
  await platform.apply(demoPlatform());
});
afterEach(async () => {
  await platform.close();
});

const failureOf = async (written: Promise<unknown>): Promise<unknown> =>
  written.then(
    () => 'written',
    (error: unknown) => error,
  );
const put = (target: EntityTarget, settings: object) => putEntity(writer, target, { settings: () => settings });

/** The demo platform with other users of its first actor. */
function platformWithUsers(change: (users: readonly { name: string }[]) => object[]): object {
  const { actors, ...others } = demoPlatform();
  const [acme, ...more] = actors;
  return { ...others, actors: [{ ...acme, users: change(acme?.users ?? []) }, ...more] };
}

describe('a new name that could be taken for another one', () => {
  it.each([
    [{ entityType: 'External User', name: hidden, actor: 'acme' }, {}],
    [{ entityType: 'Internal User', name: hidden }, { roles: ['Users'] }],
    [{ entityType: 'Actor', name: hidden }, { type: 'Partner' }],
    [{ entityType: 'Role', name: hidden }, { permissions: ['jobs:read'] }],
  ] as const)('is refused over the API: %j', async (target, settings) => {
    expect(await failureOf(put(target, settings))).toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'name', message: fault }],
    });
  });

  it('is refused for a source that applies for the first time; one that there is stays', async () => {
    const applied = () => failureOf(platform.apply({ manager: { name: 'manager1' }, source: hidden }));
    const message = `the name of the source ad\\u{200B}min ${fault}`;
    expect(await applied()).toMatchObject({ code: 'configuration_invalid', fields: [{ field: 'source', message }] });
    await platform.query(
      `INSERT INTO directory.configuration_sources (source, file, manager_name, applied_by) VALUES ('${hidden}', '', 'm', 'x')`,
    );
    expect(await applied()).toBe('written');
  });

  it.each(['.', '..'])('is refused in a document if it cannot stand in an address: %s', async (name) => {
    const cluster = {
      name: 'edge',
      servers: [
        { name: 'sftp', protocol: 'SFTP' },
        { name, protocol: 'HTTP' },
      ],
    };
    const { clusters, ...others } = demoPlatform();
    expect(await failureOf(platform.apply({ ...others, clusters: [...clusters, cluster] }))).toMatchObject({
      code: 'configuration_invalid',
      fields: [{ message: `the name of ${name} in Cluster edge cannot stand in an address` }],
    });
    expect(await failureOf(platform.apply(platformWithUsers((users) => [...users, { name }])))).toMatchObject({
      fields: [{ message: `the name of External User ${name} cannot stand in an address` }],
    });
  });

  it('is refused in a document, with the name escaped', async () => {
    const document = platformWithUsers((users) => [...users, { name: '\u202Enimda' }]);
    expect(await failureOf(platform.apply(document))).toMatchObject({
      code: 'configuration_invalid',
      fields: [
        { message: String.raw`the name of External User \u{202E}nimda has the character U+202E, which is not seen` },
      ],
    });
  });
});

describe('a stored name with such characters, of an earlier release', () => {
  const rename = (from: string) =>
    platform.query(`UPDATE directory.partner_users
      SET name = '${hidden}', definition = jsonb_set(definition, '{name}', '"${hidden}"') WHERE name = '${from}'`);

  it('stays valid over the API: its object is changed and deleted, and others beside it are made', async () => {
    const target: EntityTarget = { entityType: 'External User', name: hidden, actor: 'acme' };
    await put({ ...target, name: 'bob' }, {});
    await rename('bob');
    expect(await put(target, { maxSessions: 3 })).toMatchObject({ change: { change: 'modified' } });
    expect(await put({ ...target, name: 'rob' }, {})).toMatchObject({ change: { change: 'created' } });
    expect(await deleteEntity(writer, target, {})).toMatchObject({ change: { change: 'deleted' } });
  });

  it('stays valid for a part: its object is changed, and only other parts have to have better names', async () => {
    const target: EntityTarget = { entityType: 'Cluster', name: 'edge' };
    const settings = (names: readonly string[]) => ({ servers: names.map((name) => ({ name, protocol: 'SFTP' })) });
    await put(target, settings(['former', 'sftp']));
    await platform.query(`UPDATE directory.clusters
      SET definition = jsonb_set(definition, '{servers,0,name}', '".."') WHERE name = 'edge'`);
    expect(await put(target, settings(['sftp', '..', 'more']))).toMatchObject({ change: { change: 'modified' } });
    expect(await failureOf(put(target, settings(['sftp', '..', '.'])))).toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'servers[2].name', message: 'cannot stand in an address' }],
    });
  });

  it('stays valid in the document that has it', async () => {
    await platform.apply(platformWithUsers((users) => [...users, { name: 'bob' }]));
    await rename('bob');
    const changes = await platform.apply(platformWithUsers((users) => [...users, { name: hidden, enabled: false }]));
    expect(changes).toMatchObject([{ change: 'modified', entityName: hidden }]);
  });
});
