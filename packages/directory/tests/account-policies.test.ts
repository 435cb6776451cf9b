import { hashPassword } from '@waybill/access/hash-password';
import { grantsOf } from '@waybill/access/principal';
import { verifyPassword } from '@waybill/access/verify-password';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { findAccountStanding } from '@waybill/directory/accounts/account-standing';
import { assertPasswordChoice } from '@waybill/directory/accounts/assert-password-choice';
import { createPartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import { deleteEntity, putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import { openDirectory } from '@waybill/directory/open-directory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

const site = { peerName: 'peer1', managerName: 'manager1' };
const find = async (name: string) => {
  const user = await openDirectory({ db: platform.db }).findPartnerUser(userNameSchema.parse(name));
  if (user === undefined) throw new Error(`${name} is not there`);
  return user;
};
const demandOn = async (name: string) =>
  (await findAccountStanding(platform.db, { kind: 'partner', id: (await find(name)).id }))?.passwordDemand;
const change = async (name: string, password: string) =>
  createPartnerPasswords(platform.db, site).change(await find(name), password);
const withPolicies = (accountPolicies: object[], more: object = {}) => ({
  ...demoPlatform(),
  accountPolicies,
  ...more,
});
const age = (name: string, days: number) =>
  platform.query(
    `UPDATE directory.partner_users SET password_changed_at = now() - interval '${days} days' WHERE name = '${name}'`,
  );

describe('passwords of a configuration', () => {
  it('are free without a policy, and must be allowed by the one named default; errors name their places', async () => {
    await platform.apply(demoPlatform());
    const strict = withPolicies([{ name: 'default' }]);
    strict.managerUsers.push({ name: 'new', password: 'password1234', roles: ['Users'], enabled: true });
    const refused = platform.plan(strict);
    await expect(refused).rejects.toMatchObject({
      code: 'configuration_invalid',
      fields: [{ field: 'managerUsers[2].password', message: 'is one of those that are guessed first' }],
    });
    await expect(platform.apply(strict)).rejects.toMatchObject({ code: 'configuration_invalid' });
    // Users who have their passwords already keep them.
    expect(linesOf(await platform.apply(withPolicies([{ name: 'default' }])))).toEqual([
      'created Account Policy default',
    ]);
  });

  it('follow the policy of their actor', async () => {
    const lax = { name: 'lax', passwords: { minimumLength: 8, blockCommon: false } };
    const wanted = withPolicies([{ name: 'default', passwords: { minimumLength: 30 } }, lax]);
    wanted.managerUsers = [
      {
        name: 'admin',
        password: 'a very long correct horse battery staple',
        roles: ['Administrators'],
        enabled: true,
      },
    ];
    const [acme, globex] = wanted.actors;
    const named = { ...acme, accountPolicy: 'lax', users: [{ name: 'acme', password: 'password' }] };
    const actors = [
      { ...named, connectionContracts: [], virtualFileSystems: [], contracts: [] },
      { ...globex, users: [], connectionContracts: [], virtualFileSystems: [], contracts: [] },
    ];
    await platform.apply({ ...wanted, actors });
    await expect(
      platform.plan({ ...wanted, actors: [{ ...actors[0], accountPolicy: undefined }, actors[1]] }),
    ).resolves.toBeDefined();
    await expect(
      platform.plan({ ...wanted, actors: [{ ...actors[0], accountPolicy: 'missing' }, actors[1]] }),
    ).rejects.toMatchObject({
      fields: [
        { field: 'actors[0].accountPolicy', message: expect.stringContaining('there is no account policy missing') },
      ],
    });
  });

  it('are checked when the API writes a user, and a policy in use cannot be deleted', async () => {
    const inUse = withPolicies([]);
    await platform.apply(inUse);
    const writer: EntityWriter = {
      db: platform.db,
      files: platform.files,
      by: { user: 'admin', nodeId: 'n', managerName: 'm' },
      rights: { grants: grantsOf(['Administrators']), actors: undefined },
    };
    const put = (entityType: 'Account Policy' | 'External User' | 'Actor', name: string, settings: object) =>
      putEntity(
        writer,
        { entityType, name, ...(entityType === 'External User' && { actor: 'umbrella' }) },
        { settings: () => settings },
      );
    await put('Account Policy', 'strict', { passwords: { minimumLength: 20 } });
    await put('Actor', 'umbrella', { type: 'Partner', accountPolicy: 'strict' });
    await expect(put('External User', 'tom', { password: 'correct horse' })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'password', message: 'needs 20 characters or more' }],
    });
    await put('External User', 'tom', { password: 'correct horse battery staple' });
    await expect(deleteEntity(writer, { entityType: 'Account Policy', name: 'strict' }, {})).rejects.toMatchObject({
      code: 'entity_in_use',
    });
  });

  it.each([
    { minimumLength: 7 },
    { minimumLength: 129 },
    { history: 25 },
    { history: -1 },
    { expiresAfterDays: 0 },
    { maximum: 3 },
  ])('need a policy of possible numbers: %j', async (passwords) => {
    await expect((async () => platform.plan(withPolicies([{ name: 'default', passwords }])))()).rejects.toMatchObject({
      code: 'configuration_invalid',
    });
  });
});

describe('a password that a user chooses', () => {
  it('is none of the last ones, which every way to set a password adds to, and is kept by the next apply', async () => {
    await platform.apply(demoPlatform());
    await platform.apply(withPolicies([{ name: 'default', passwords: { history: 2 } }]));
    const [first, second, third] = ['first correct horse', 'second correct horse', 'third correct horse'];
    await change('acme-2', first ?? '');
    await expect(change('acme-2', first ?? '')).rejects.toMatchObject({
      message: 'The new password is the present one',
    });
    await change('acme-2', second ?? '');
    await change('acme-2', third ?? '');
    for (const earlier of [first, second]) {
      await expect(change('acme-2', earlier ?? '')).rejects.toMatchObject({
        code: 'password_refused',
        message: 'The new password is one of your last 2',
        fields: [{ field: 'newPassword', message: 'is one of your last 2' }],
      });
    }
    expect(await platform.apply(withPolicies([{ name: 'default', passwords: { history: 2 } }]))).toEqual([]);
    expect(await verifyPassword((await find('acme-2')).passwordHash, third ?? '')).toBe(true);
    await platform.takeAuditEvents();
    await change('acme-2', 'fourth correct horse');
    await change('acme-2', first ?? '');
    expect(await platform.takeAuditEvents()).toMatchObject([
      { auditCode: 'AUD0010A', entityType: 'External User', entityName: 'acme-2', dataoneUser: 'acme-2' },
      { auditCode: 'AUD0010A' },
    ]);
    // The history is of users: another one may choose what this one had.
    await change('globex', second ?? '');
  });

  it('keeps at most 24 hashes, which go with the user', async () => {
    await platform.apply(demoPlatform());
    const { id } = await find('acme-2');
    for (let n = 0; n < 30; n += 1)
      await platform.query(`UPDATE directory.partner_users SET password_hash = 'hash-${n}' WHERE id = ${id}`);
    const rows = await platform.query('SELECT password_hash FROM directory.password_history ORDER BY id');
    expect(rows).toHaveLength(24);
    expect(rows.at(-1)).toEqual({ password_hash: 'hash-28' });
    await platform.query(`DELETE FROM directory.partner_users WHERE id = ${id}`);
    expect(await platform.query('SELECT FROM directory.password_history')).toEqual([]);
  });

  it('wins once: of two changes at the same time the second is refused', async () => {
    await platform.apply(demoPlatform());
    const user = await find('acme-2');
    const { change: choose } = createPartnerPasswords(platform.db, site);
    const outcomes = await Promise.allSettled(
      ['one correct horse', 'two correct horse'].map((text) => choose(user, text)),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'invalid_credentials' },
    });
  });

  it('is held to the built-in rules without a policy, for managers too', async () => {
    await platform.apply(demoPlatform());
    const admin = await openDirectory({ db: platform.db }).findManagerUser(userNameSchema.parse('admin'));
    const choose = (password: string) => assertPasswordChoice(platform.db, { ...admin!, kind: 'manager' }, password);
    await expect(choose('short')).rejects.toMatchObject({ code: 'password_refused' });
    await expect(choose('the admin of acme')).rejects.toMatchObject({
      message: 'The new password contains the user name',
    });
    await choose('correct horse battery');
  });
});

describe('a change of password', () => {
  it('is due when the policy says that it has expired, by the clock of the database', async () => {
    await platform.apply(demoPlatform());
    await age('acme-2', 100);
    expect(await demandOn('acme-2')).toBeUndefined();
    await platform.apply(withPolicies([{ name: 'default', passwords: { expiresAfterDays: 90 } }]));
    expect([await demandOn('acme-2'), await demandOn('globex')]).toEqual(['expired', undefined]);
    await age('acme-2', 89);
    expect(await demandOn('acme-2')).toBeUndefined();
    await age('acme-2', 90);
    await change('acme-2', 'correct horse battery');
    expect(await demandOn('acme-2')).toBeUndefined();
  });

  it('is due once after the configuration requires it, and again for each password that the configuration sets', async () => {
    const required = (password?: string, passwordChangeRequired: boolean | undefined = true) => {
      const wanted = demoPlatform();
      const [, second] = wanted.actors[0]!.users;
      Object.assign(second!, { passwordChangeRequired, ...(password !== undefined && { password }) });
      return wanted;
    };
    await platform.apply(demoPlatform());
    expect(linesOf(await platform.apply(required()))).toEqual([
      'modified External User acme-2 (passwordChangeRequired)',
    ]);
    expect(await demandOn('acme-2')).toBe('required');
    await change('acme-2', 'correct horse battery');
    expect(await demandOn('acme-2')).toBeUndefined();
    expect(await platform.apply(required())).toEqual([]);
    expect(await demandOn('acme-2')).toBeUndefined();
    await platform.apply(required('set again'));
    expect(await demandOn('acme-2')).toBe('required');
    await platform.apply(demoPlatform());
    expect(await demandOn('acme-2')).toBeUndefined();
    await platform.query(
      `UPDATE directory.partner_users SET password_hash = '${await hashPassword('x')}' WHERE name = 'acme-2'`,
    );
    expect(await demandOn('acme-2')).toBeUndefined();
  });
});
