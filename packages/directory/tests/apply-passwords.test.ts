import { hashPassword } from '@waybill/access/hash-password';
import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { setManagerPassword } from '@waybill/directory/logins/set-manager-password';
import { openDirectory } from '@waybill/directory/open-directory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const named = (name: string) => userNameSchema.parse(name);

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

describe('a configuration with passwords', () => {
  it('hashes a password again only when it is another one, and audits that as a change of password', async () => {
    await platform.apply(demoPlatform());
    await platform.takeAuditEvents();
    const hashes = () => platform.query('SELECT name, password_hash FROM directory.partner_users ORDER BY name');
    const before = await hashes();
    const next = demoPlatform();
    next.actors[0]!.users[1]!.password = 'third';
    expect(linesOf(await platform.apply(next))).toEqual(['modified External User acme-2 (password)']);
    const after = await hashes();
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[1]).not.toEqual(before[1]);
    expect(await platform.takeAuditEvents()).toMatchObject([
      { auditCode: 'AUD0010A', auditOperation: 'PASSWORD CHANGE', entityType: 'External User', entityName: 'acme-2' },
    ]);
  });

  it('keeps a password that the user has changed until the one in the configuration changes', async () => {
    await platform.apply(demoPlatform());
    const directory = openDirectory({ db: platform.db });
    const admin = await directory.authenticateManagerUser(named('admin'), 'demo');
    const chosen = await hashPassword('chosen');
    await platform.db.transaction((trx) => setManagerPassword(trx, admin?.id ?? '', chosen));
    const next = demoPlatform();
    next.managerUsers[0]!.roles.push('Users');
    expect(linesOf(await platform.apply(next))).toEqual(['modified Internal User admin (roles)']);
    expect(await directory.authenticateManagerUser(named('admin'), 'demo')).toBeUndefined();
    expect(await directory.authenticateManagerUser(named('admin'), 'chosen')).toBeDefined();
    next.managerUsers[0]!.password = 'reset';
    expect(linesOf(await platform.apply(next))).toEqual(['modified Internal User admin (password)']);
    expect(await directory.authenticateManagerUser(named('admin'), 'reset')).toBeDefined();
  });

  it('ends only the logins of a manager user who is removed or gets another password', async () => {
    await platform.apply(demoPlatform());
    const tokens = createRefreshTokens({ db: platform.db });
    const [admin, viewer] = [await tokens.issue(named('admin')), await tokens.issue(named('viewer'))];
    const next = demoPlatform();
    next.managerUsers[0]!.password = 'another';
    await platform.apply(next);
    await expect(tokens.rotate(admin.token)).rejects.toMatchObject({ code: 'refresh_token_invalid' });
    const { token } = await tokens.rotate(viewer.token);
    next.managerUsers.pop();
    await platform.apply(next);
    await expect(tokens.rotate(token)).rejects.toMatchObject({ code: 'refresh_token_invalid' });
  });

  it('removes the second factors of users who are removed, also with their actor, and of no others', async () => {
    await platform.apply(demoPlatform());
    for (const table of ['second_factors', 'partner_second_factors']) {
      await platform.query(
        `INSERT INTO access.${table} (user_name, key_id, ciphertext, confirmed_at)
         SELECT name, 'k', '', now() FROM directory.${table === 'second_factors' ? 'manager_users' : 'partner_users'}`,
      );
    }
    const holders = async () => [
      await platform.query('SELECT user_name AS name FROM access.second_factors ORDER BY 1'),
      await platform.query('SELECT user_name AS name FROM access.partner_second_factors ORDER BY 1'),
    ];
    const users = async () => [
      await platform.query('SELECT name FROM directory.manager_users ORDER BY 1'),
      await platform.query('SELECT name FROM directory.partner_users ORDER BY 1'),
    ];
    const next = demoPlatform();
    next.managerUsers[0]!.password = 'another';
    next.managerUsers.pop();
    const [first] = next.actors;
    next.actors = first ? [first] : [];
    await platform.apply(next);
    expect(await holders()).toEqual(await users());
    // What an earlier release left of a user is not that of a new user of the name.
    await platform.query(
      `INSERT INTO access.second_factors (user_name, key_id, ciphertext) VALUES ('viewer', 'k', '')`,
    );
    await platform.apply(demoPlatform());
    expect((await holders()).flat()).not.toContainEqual({ name: 'viewer' });
  });

  it('stores no password, in no table', async () => {
    const secretive = demoPlatform();
    secretive.actors[0]!.users[0]!.password = 'unmistakable-1';
    secretive.managerUsers[0]!.password = 'unmistakable-2';
    await platform.apply(secretive);
    expect(JSON.stringify(await platform.snapshot())).not.toContain('unmistakable');
    expect(JSON.stringify(await platform.takeAuditEvents())).not.toContain('unmistakable');
  });
});
