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
});
afterEach(async () => {
  await platform.close();
});

const put = (target: EntityTarget, settings: object) => putEntity(writer, target, { settings: () => settings });
const failureOf = async (written: Promise<unknown>): Promise<unknown> =>
  written.then(
    () => 'written',
    (error: unknown) => error,
  );
const umbrella: EntityTarget = { entityType: 'Actor', name: 'umbrella' };

describe('an actor', () => {
  it('that a role is limited to exists, and is not deleted while the role names it', async () => {
    const role: EntityTarget = { entityType: 'Role', name: 'Team' };
    const limitedTo = (...actors: string[]) => put(role, { permissions: ['jobs:read'], actors });
    for (const hostile of ['umbrella', 'ACME', 'acme-files', 'clerks', '__proto__', 'acme%']) {
      expect([hostile, await failureOf(limitedTo('acme', hostile))]).toMatchObject([
        hostile,
        {
          code: 'validation_failed',
          fields: [{ field: 'actors[1]', message: expect.stringContaining(`there is no actor ${hostile}`) }],
        },
      ]);
    }
    await put(umbrella, { type: 'Partner' });
    await limitedTo('acme', 'umbrella');
    // Others write as before, whatever actors they are near.
    await put({ entityType: 'Actor', name: 'initech' }, { type: 'Partner' });
    await put(umbrella, { type: 'Application' });
    expect(await failureOf(deleteEntity(writer, umbrella, {}))).toMatchObject({
      code: 'entity_in_use',
      fields: [{ message: 'Role Team of the API names the actor umbrella in actors[1]' }],
    });
    await limitedTo('acme');
    expect(await deleteEntity(writer, umbrella, {})).toMatchObject({ change: { change: 'deleted' } });
    // A source does not delete it either.
    const { actors, ...others } = demoPlatform();
    const [, globex] = actors;
    expect(await failureOf(platform.apply({ ...others, actors: [globex] }))).toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('Role Team of the API: there is no actor acme'),
    });
  });

  it('is written although a role names an actor that does not exist, of an earlier release', async () => {
    await put({ entityType: 'Role', name: 'Old' }, { permissions: ['jobs:read'], actors: ['acme'] });
    await platform.query(
      `UPDATE directory.roles SET definition = jsonb_set(definition, '{actors}', '["umbrela", "acme"]') WHERE name = 'Old'`,
    );
    await put(umbrella, { type: 'Partner' });
    await put({ entityType: 'External User', name: 'bob', actor: 'acme' }, { groups: ['clerks'] });
    expect(await deleteEntity(writer, umbrella, {})).toMatchObject({ change: { change: 'deleted' } });
  });

  it('takes itself from the API keys that are limited to it when it is deleted or created', async () => {
    const keys: [string, string][] = [
      ['one', `'{umbrella}'`],
      ['two', `'{globex,umbrella,acme}'`],
      ['other', `'{acme}'`],
      ['all', 'NULL'],
    ];
    const insertKeys = async (): Promise<void> => {
      await platform.query('DELETE FROM access.api_keys');
      for (const [name, actors] of keys) {
        await platform.query(
          `INSERT INTO access.api_keys (name, owner, key_hash, roles, actors, expires_at)
           VALUES ('${name}', 'admin', '${name}', '{Administrators}', ${actors}, now() + interval '1 day')`,
        );
      }
    };
    const stored = async () => await platform.query('SELECT name, actors FROM access.api_keys ORDER BY id');
    const left = [
      { name: 'two', actors: ['globex', 'acme'] },
      { name: 'other', actors: ['acme'] },
      { name: 'all', actors: null },
    ];
    await insertKeys();
    await put(umbrella, { type: 'Partner' });
    expect(await stored()).toEqual(left);
    await insertKeys();
    await put(umbrella, { type: 'Application' });
    expect(await stored()).toHaveLength(4);
    await deleteEntity(writer, umbrella, {});
    expect(await stored()).toEqual(left);
  });
});
