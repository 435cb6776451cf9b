import { putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expecting, faultsOf } from './access-test-documents.ts';
import { demoPlatform } from './demo-platform.ts';
import { administratorOf, openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

const user = { entityType: 'External User', name: 'acme', actor: 'acme' } as const;

const put = (entity: EntityTarget, settings: object) =>
  faultsOf(putEntity(administratorOf(platform), entity, { settings: () => settings }));

describe('an access test about an address', () => {
  it('refuses what takes a network away from users and groups, or gives one', async () => {
    const [acme, ...others] = demoPlatform().actors;
    const networked = (ofUser: object, ofGroup: object, ...sentences: readonly string[]) => ({
      ...expecting(...sentences),
      actors: [
        {
          ...acme,
          users: acme?.users.map((user) => (user.name === 'acme' ? { ...user, groups: ['clerks'], ...ofUser } : user)),
          groups: [{ name: 'clerks', ...ofGroup }],
        },
        ...others,
      ],
    });
    const inside = 'acme may upload /inbox/** from 192.0.2.7';
    const outside = 'acme may not list /** from 198.51.100.1';
    const broken = (index: number, text: string, ...reasons: readonly string[]) => [
      'configuration_invalid',
      [{ field: `accessTests[0].expect[${index}]`, message: `expected: ${text}; but ${reasons.join('; ')}` }],
    ];
    const why = (address: string, whose: string, networks: string) =>
      `${address} is not in the networks of ${whose}: ${networks}`;
    const [own, ofGroup] = [{ networks: ['192.0.2.0/24', '2001:db8::/32'] }, { networks: ['192.0.2.0/28'] }];

    expect(await faultsOf(platform.apply(networked(own, {}, inside, outside)))).toBe('done');
    expect(await faultsOf(platform.plan(networked({ networks: ['192.0.2.8'] }, {}, inside, outside)))).toEqual(
      broken(0, inside, why('192.0.2.7', 'user acme', '192.0.2.8')),
    );
    const open = await faultsOf(platform.plan(networked({}, {}, inside, outside)));
    expect(open).toEqual(['configuration_invalid', [expect.objectContaining({ field: 'accessTests[0].expect[1]' })]]);
    const wide = networked({ networks: ['0.0.0.0/0'] }, {}, inside, outside);
    expect(await faultsOf(platform.apply(wide))).toEqual([
      'configuration_invalid',
      [
        expect.objectContaining({
          message: expect.stringContaining('at /any: 198.51.100.1 is in the networks of user acme: 0.0.0.0/0; '),
        }),
      ],
    ]);
    // Of a group, also after it has ended; not for users with networks of their own.
    expect(await faultsOf(platform.plan(networked({}, ofGroup, inside, outside)))).toBe('done');
    const narrow = { networks: ['192.0.2.0/30'] };
    expect(await faultsOf(platform.plan(networked({}, narrow, inside, outside)))).toEqual(
      broken(0, inside, why('192.0.2.7', 'group clerks', '192.0.2.0/30')),
    );
    expect(await faultsOf(platform.plan(networked(own, narrow, inside, outside)))).toBe('done');
    const ended = 'acme may not list / from 192.0.2.7';
    expect(await faultsOf(platform.plan(networked({}, { ...narrow, enabled: false }, ended)))).toBe('done');

    // The client as the servers know it.
    const mapped = [
      'acme may list / from ::ffff:192.0.2.7',
      'acme may list / from ::FFFF:c000:207',
      'acme may list / over SFTP from 2001:DB8:0:0::7',
      'acme may not list / from ::ffff:198.51.100.1',
      'acme may not list / from ::192.0.2.7',
      'acme may not list / from 2001:db9::7',
    ];
    expect(await faultsOf(platform.plan(networked(own, {}, ...mapped)))).toBe('done');
    // Without an address, networks do not count.
    expect(await faultsOf(platform.plan(networked(own, {}, 'acme may upload /inbox/**')))).toBe('done');
  });

  it('refuses changes over the API, too', async () => {
    await platform.apply(demoPlatform());
    await platform.query('UPDATE directory.partner_users SET source = NULL');
    const settings = { groups: ['clerks'], networks: ['192.0.2.0/24'] };
    expect(await put(user, settings)).toBe('done');
    const rules = { entityType: 'Access Test', name: 'rules' } as const;
    expect(await put(rules, { expect: ['acme may list / from 192.0.2.7', 'acme may not list / from ::1'] })).toBe(
      'done',
    );
    expect(await put(user, { ...settings, networks: ['192.0.2.8'] })).toEqual([
      'entity_in_use',
      [
        expect.objectContaining({
          message: expect.stringContaining('but 192.0.2.7 is not in the networks of user acme'),
        }),
      ],
    ]);
    expect(await put(rules, { expect: ['acme may list / from 192.0.2.0/24'] })).toEqual([
      'validation_failed',
      [{ field: 'expect[0]', message: expect.stringContaining('one address') }],
    ]);
  });
});
