import { userNameSchema } from '@waybill/contracts/values/user-name';
import { deleteEntity, putEntity } from '@waybill/directory/administration/write-entity';
import { findFrozenUser, freezeUser, listFrozenUsers, thawUser } from '@waybill/directory/logins/frozen-users';
import { findPartnerUser } from '@waybill/directory/queries/find-partner-user';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { administratorOf, openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const name = userNameSchema.parse('tom');
const admin = userNameSchema.parse('admin');
const target: EntityTarget = { entityType: 'External User', name, actor: 'acme' };

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
  await platform.apply(demoPlatform());
  await create();
});
afterEach(async () => {
  await platform.close();
});

const create = (settings: object = {}) => putEntity(administratorOf(platform), target, { settings: () => settings });
const remove = () => deleteEntity(administratorOf(platform), target, {});
const freezes = async () =>
  (await listFrozenUsers(platform.db, { actors: undefined, limit: 10 })).freezes.map(({ userName }) => userName);
const isEnabled = async () => (await findPartnerUser(platform.db, name))?.enabled;
const epoch = async () => (await findPartnerUser(platform.db, name))?.loginEpoch ?? 0;

describe('the freeze of a user', () => {
  it('is not that of a later user of the same name, who can be frozen and thawed', async () => {
    await freezeUser(platform.db, { userName: name, by: admin });
    await remove();
    expect(await freezes()).toEqual([name]);
    await create();
    expect(await isEnabled()).toBe(true);
    expect(await findFrozenUser(platform.db, name)).toBeUndefined();
    expect(await freezes()).toEqual([]);
    const before = await epoch();
    expect(await freezeUser(platform.db, { userName: name, by: admin })).toMatchObject({ userName: name });
    expect(await epoch()).toBeGreaterThan(before);
    expect([await isEnabled(), await freezes()]).toEqual([false, [name]]);
    expect(await thawUser(platform.db, name)).toMatchObject({ userName: name });
    expect(await isEnabled()).toBe(true);
  });

  it('is not thawed for a later user, who was never frozen', async () => {
    await freezeUser(platform.db, { userName: name, by: admin });
    await remove();
    await create();
    expect(await thawUser(platform.db, name)).toBeUndefined();
  });

  it('stays while the user stays, whatever changes', async () => {
    await freezeUser(platform.db, { userName: name, by: admin });
    expect(await freezeUser(platform.db, { userName: name, by: admin })).toBeUndefined();
    await create({ maxSessions: 3, groups: ['clerks'] });
    expect([await isEnabled(), await freezes()]).toEqual([false, [name]]);
  });
});
