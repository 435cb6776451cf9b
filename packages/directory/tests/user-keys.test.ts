import { generateKeyPairSync } from 'node:crypto';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { directorySchema } from '@waybill/directory/directory-schema';
import { listUserKeys } from '@waybill/directory/logins/list-user-keys';
import { openDirectory } from '@waybill/directory/open-directory';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const named = (name: string) => userNameSchema.parse(name);

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(async () => {
  await platform.close();
});

function newKey(): string {
  const raw = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const type = Buffer.from('ssh-ed25519');
  return `ssh-ed25519 ${Buffer.concat([Buffer.of(0, 0, 0, 11), type, Buffer.of(0, 0, 0, 32), raw]).toString('base64')}`;
}

/** A platform whose first user has these fields too. */
function platformWith(fields: object) {
  const configured = demoPlatform();
  Object.assign(configured.actors[0]!.users[0]!, fields);
  return configured;
}

describe('the keys of a user', () => {
  it('have a comment, a day they end on, and the time they were used last, which outlives a new configuration', async () => {
    const [office, server] = [newKey(), newKey()];
    const publicKeys = [`${office} office`, '', { key: server, comment: 'nightly run', expires: '2030-05-31' }];
    await platform.apply(platformWith({ publicKeys }));
    const expected = [
      { key: office, comment: 'office', lastUsedAt: undefined },
      { key: server, comment: 'nightly run', expires: '2030-06-01T00:00:00.000Z', lastUsedAt: undefined },
    ];
    expect(await listUserKeys(platform.db, named('acme'))).toEqual(expected);

    const directory = openDirectory({ db: platform.db });
    const user = await directory.findPartnerUser(named('acme'));
    const [key] = user?.publicKeys ?? [];
    await directory.recordKeyUse({ id: user?.id ?? '' }, key!.key);
    const [used] = (await listUserKeys(platform.db, named('acme'))) ?? [];
    expect(Math.abs(Date.now() - (used?.lastUsedAt?.getTime() ?? 0))).toBeLessThan(10_000);

    await platform.apply(platformWith({ publicKeys: [] }));
    expect(await listUserKeys(platform.db, named('acme'))).toEqual([]);
    await platform.apply(platformWith({ publicKeys }));
    expect(await listUserKeys(platform.db, named('acme'))).toEqual([used, expected[1]]);
    expect(await listUserKeys(platform.db, named('nobody'))).toBeUndefined();
  });

  it('are written to at most once a minute, and not locked in between', async () => {
    const key = newKey();
    await platform.apply(platformWith({ publicKeys: [key] }));
    const directory = openDirectory({ db: platform.db, cacheMs: 0 });
    const user = await directory.findPartnerUser(named('acme'));
    const line = user!.publicKeys[0]!.key;
    const version = async () =>
      (await platform.query('SELECT xmin::text, xmax::text, last_used_at FROM directory.key_uses'))[0];
    await Promise.all(Array.from({ length: 5 }, () => directory.recordKeyUse(user!, line)));
    const first = await version();
    await directory.recordKeyUse(user!, line);
    expect(await version()).toEqual(first);
    await platform.query("UPDATE directory.key_uses SET last_used_at = now() - interval '61 seconds'");
    await directory.recordKeyUse(user!, line);
    expect(await version()).not.toEqual(first);
  });

  it('are applied once: the same configuration again changes nothing', async () => {
    const fields = {
      publicKeys: [{ key: newKey(), expires: '2030-05-31' }],
      authentication: 'both',
      legacyAlgorithms: { allow: ['aes256-cbc'], until: '2030-05-31' },
    };
    await platform.apply(platformWith(fields));
    expect(await platform.apply(platformWith(fields))).toEqual([]);
  });

  it('of a database from before stay good', async () => {
    await using database = await createTestDatabase();
    const db = connectPostgres({ url: database.url, applicationName: 'test', poolSize: 2 });
    const before = directorySchema.migrations.filter(({ name }) => name < '0006');
    await migrate(db, { ...directorySchema, migrations: before });
    const key = newKey();
    await db.raw(
      `WITH actor AS (INSERT INTO directory.actors (name, definition) VALUES ('acme', '{}') RETURNING id)
       INSERT INTO directory.partner_users (actor_id, name, public_keys, groups, enabled, definition)
       SELECT id, 'acme', ARRAY[:key]::text[], '{}'::text[], true, jsonb_build_object('name', 'acme', 'publicKeys', ARRAY[:key]::text[]) FROM actor
       UNION ALL
       SELECT id, 'keyless', '{}'::text[], '{}'::text[], true, '{"name": "keyless", "publicKeys": []}'::jsonb FROM actor`,
      { key },
    );
    await migrate(db, directorySchema);
    const directory = openDirectory({ db });
    expect(await directory.findPartnerUser(named('acme'))).toMatchObject({
      publicKeys: [{ key }],
      authentication: 'either',
    });
    expect(await directory.findPartnerUser(named('keyless'))).toMatchObject({
      publicKeys: [],
      authentication: 'either',
    });
    await db.destroy();
  });
});

describe('what a login requires', () => {
  it.each([
    ['password', true],
    ['either', true],
    ['key', false],
    ['both', false],
  ])('with `%s`, a password alone does: %s', async (authentication, suffices) => {
    await platform.apply(platformWith({ authentication }));
    const directory = openDirectory({ db: platform.db });
    expect((await directory.authenticatePartnerUser(named('acme'), 'demo', '10.0.0.1')) !== undefined).toBe(suffices);
    expect(await directory.verifyPartnerPassword(named('acme'), 'demo', '10.0.0.1')).toMatchObject({
      name: 'acme',
      authentication,
    });
    expect(await directory.verifyPartnerPassword(named('acme'), 'wrong', '10.0.0.1')).toBeUndefined();
  });
});

describe('old algorithms', () => {
  it('are those that some enabled user may still use', async () => {
    const configured = platformWith({
      legacyAlgorithms: { allow: ['hmac-sha1', 'aes256-cbc'], until: '2999-12-31' },
    });
    Object.assign(configured.actors[0]!.users[1]!, {
      legacyAlgorithms: { allow: ['ssh-rsa'], until: '2020-01-01' },
    });
    await platform.apply(configured);
    expect(await openDirectory({ db: platform.db }).listLegacyAlgorithms()).toEqual(['aes256-cbc', 'hmac-sha1']);
    configured.actors[0]!.users[0]!.enabled = false;
    await platform.apply(configured);
    expect(await openDirectory({ db: platform.db }).listLegacyAlgorithms()).toEqual([]);
  });
});
