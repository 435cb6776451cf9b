import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Directory } from '../src/directory.ts';
import { openDirectory } from '../src/open-directory.ts';
import { readAccessVersion } from '../src/standing/load-standings.ts';
import { proofOfLogin } from '../src/standing/login-proof.ts';
import type { UserHold } from '../src/standing/user-hold.ts';
import { type UserWatch, watchUsers } from '../src/standing/watch-users.ts';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const place = { cluster: 'cluster1', server: 'sftp-server' };

let platform: TestPlatform;
let directory: Directory;
let watch: UserWatch & AsyncDisposable;

beforeAll(async () => {
  platform = await openTestPlatform();
  directory = openDirectory({ db: platform.db, cacheMs: 0 });
  const logger = createLogger({ service: 'test', level: 'fatal' });
  watch = await watchUsers({ db: platform.db, databaseUrl: platform.databaseUrl, place, logger });
});
afterAll(async () => {
  await watch?.[Symbol.asyncDispose]();
  await platform?.close();
});
beforeEach(async () => {
  await platform.query('DELETE FROM directory.frozen_users');
  await platform.apply(twoClerks());
});

/** Both users of acme see its files. */
function twoClerks() {
  const platform = demoPlatform();
  platform.actors[0]!.users[1]!.groups = ['clerks'];
  Object.assign(platform.actors[0]!, { groups: [{ name: 'clerks' }] });
  return platform;
}

const version = () => readAccessVersion(platform.db);

const userNamed = (name: string) => directory.findPartnerUser(userNameSchema.parse(name));

async function hold(name = 'acme'): Promise<UserHold> {
  const user = await userNamed(name);
  if (user === undefined) throw new Error(`no user ${name}`);
  return watch.hold({ user, login: proofOfLogin(user, { password: true, addresses: ['10.0.0.1'] }) });
}

/** The code and the reason; waits for it. */
async function refusalOf({ signal }: UserHold): Promise<[string, string]> {
  await waitFor(() => signal.aborted, { what: 'the right to be withdrawn' });
  const reason: unknown = signal.reason;
  return isCodedError(reason) ? [reason.code, reason.message] : ['none', String(reason)];
}

const freeze = (name: string) =>
  platform.query(`INSERT INTO directory.frozen_users VALUES ('${name}', now(), 'admin')`);

describe('the version of the rights', () => {
  it('increases once in a transaction, whatever it changes', async () => {
    const before = await version();
    const next = twoClerks();
    next.actors[0]!.users[0]!.enabled = false;
    next.actors[0]!.connectionContracts[0]!.enabled = false;
    await platform.apply(next);
    expect(await version()).toBe(before + 1);
  });

  it('stays when nothing is changed, with a plan, with a change that is undone, and with what rights do not follow from', async () => {
    const before = await version();
    await platform.apply(twoClerks());
    const next = twoClerks();
    next.actors[0]!.users[0]!.enabled = false;
    await platform.plan(next);
    await platform.db
      .transaction(async (trx) => {
        await trx.raw('UPDATE directory.partner_users SET enabled = false');
        throw new Error('undone');
      })
      .catch(() => {});
    await platform.query(`UPDATE directory.job_queues SET priority = 1`);
    const user = await userNamed('acme');
    await platform.query(`INSERT INTO directory.key_uses VALUES (${user?.id}, 'a key', now()) ON CONFLICT DO NOTHING`);
    expect(await version()).toBe(before);
  });

  it.each([
    'partner_users SET groups = groups',
    'connection_contracts SET enabled = enabled',
    'connection_clauses SET position = position',
    'virtual_file_systems SET acl_enabled = acl_enabled',
    'acl_rules SET grants = grants',
    'user_groups SET definition = definition',
  ])('rises with UPDATE directory.%s', async (change) => {
    const before = await version();
    const rows = await platform.query(`UPDATE directory.${change} RETURNING 1`);
    expect([rows.length > 0, await version()]).toEqual([true, before + 1]);
  });

  it('counts each of many concurrent changes, in any order of locks', async () => {
    const before = await version();
    const tables = ['partner_users SET groups = groups', 'acl_rules SET grants = grants'];
    const changes = Array.from({ length: 16 }, (_, turn) =>
      platform.db.transaction(async (trx) => {
        for (const change of turn % 2 === 0 ? tables : tables.toReversed()) {
          await trx.raw(`SELECT pg_advisory_xact_lock(7)`);
          await trx.raw(`UPDATE directory.${change}`);
        }
      }),
    );
    await Promise.all(changes);
    expect(await version()).toBe(before + 16);
  });

  it('blocks no other transaction while a long one has uncommitted changes', async () => {
    const long = await platform.db.transaction();
    await long.raw(`UPDATE directory.acl_rules SET grants = grants`);
    await freeze('acme');
    expect(await userNamed('acme')).toMatchObject({ enabled: false });
    await long.rollback();
  });
});

describe('a hold', () => {
  it('is withdrawn when its user is frozen, unlike those of others', async () => {
    const [acme, other] = [await hold(), await hold('acme-2')];
    await freeze('acme');
    expect(await refusalOf(acme)).toEqual(['not_authenticated', 'the user was frozen or disabled']);
    expect(other.signal.aborted).toBe(false);
    other[Symbol.dispose]();
  });

  it('is withdrawn when its user is removed', async () => {
    const acme = await hold();
    await platform.query(`DELETE FROM directory.partner_users WHERE name = 'acme'`);
    expect(await refusalOf(acme)).toEqual(['not_authenticated', 'the user was removed']);
  });

  it('is withdrawn although the notification was lost', async () => {
    const acme = await hold();
    await platform.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'waybill listen waybill_access'`,
    );
    await freeze('acme');
    expect(await refusalOf(acme)).toEqual(['not_authenticated', 'the user was frozen or disabled']);
  });

  it('that was created from outdated data is still withdrawn', async () => {
    const user = await userNamed('acme');
    if (user === undefined) throw new Error('no user');
    const late = await hold('acme-2');
    await freeze('acme');
    await waitFor(async () => late.bindings().accessVersion === (await version()), { what: 'the change to be known' });
    const acme = watch.hold({ user, login: proofOfLogin(user, { password: true, addresses: ['10.0.0.1'] }) });
    expect(await refusalOf(acme)).toEqual(['not_authenticated', 'the user was frozen or disabled']);
    late[Symbol.dispose]();
  });

  it('follows the newest version while its rights stay', async () => {
    const acme = await hold();
    await freeze('acme-2');
    await waitFor(async () => acme.bindings().accessVersion === (await version()), { what: 'the hold to follow' });
    expect(acme.signal.aborted).toBe(false);
    acme[Symbol.dispose]();
  });

  it('is not withdrawn any more once it is disposed of', async () => {
    const [acme, witness] = [await hold(), await hold()];
    acme[Symbol.dispose]();
    await freeze('acme');
    await refusalOf(witness);
    expect(acme.signal.aborted).toBe(false);
  });

  it('is judged again within a transaction, by what that sees', async () => {
    const acme = await hold();
    const seen = platform.db.transaction(async (trx) => {
      await trx.raw(`INSERT INTO directory.frozen_users VALUES ('acme', now(), 'admin')`);
      await acme.renew(trx);
    });
    await expect(seen).rejects.toMatchObject({ code: 'not_authenticated' });
    expect(acme.signal.aborted).toBe(true);
  });

  it('with a permission is withdrawn with it, and a branch does not withdraw its parent', async () => {
    const acme = await hold();
    const user = await userNamed('acme');
    const mounts = await directory.openMounts({ id: user?.id ?? '' }, place);
    const [mount] = mounts.mounts;
    if (mount === undefined) throw new Error('nothing is mounted');
    const need = { vfsId: mount.vfs.id, path: parseVirtualPath('/inbox/a'), permission: 'upload' } as const;
    const branch = acme.branch(need, mounts);
    const [rule] = await platform.query(`SELECT grants FROM directory.acl_rules WHERE path = '/inbox'`);
    await platform.query(`UPDATE directory.acl_rules SET grants = '[]' WHERE path = '/inbox'`);
    expect(await refusalOf(branch)).toEqual(['no_write_permission', 'No write permission']);
    expect(() => branch.require([], mounts)).toThrow('No write permission');
    expect(acme.signal.aborted).toBe(false);
    acme[Symbol.dispose]();
    await platform.query(
      `UPDATE directory.acl_rules SET grants = '${JSON.stringify(rule?.['grants'])}' WHERE path = '/inbox'`,
    );
  });
});

it('of thousands of holds exactly those are withdrawn that lose their permission', async () => {
  await platform.query(
    `INSERT INTO directory.partner_users (actor_id, name, password_hash, groups, enabled, definition)
     SELECT actor_id, 'many-' || n, 'hash', groups, true, definition
       FROM directory.partner_users, generate_series(1, 450) n WHERE name = 'acme-2'`,
  );
  const names = Array.from({ length: 450 }, (_, index) => `many-${index + 1}`);
  const holds = await Promise.all([...names, ...names, ...names, ...names].map(hold));
  await platform.query(`UPDATE directory.partner_users SET enabled = false WHERE name LIKE 'many-%0'`);
  const disabled = holds.filter((_, index) => (index % 450) % 10 === 9);
  await Promise.all(disabled.map(refusalOf));
  expect(holds.filter(({ signal }) => signal.aborted)).toHaveLength(disabled.length);
  for (const one of holds) one[Symbol.dispose]();
});
