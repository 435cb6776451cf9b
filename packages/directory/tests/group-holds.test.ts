import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDirectory } from '../src/open-directory.ts';
import { proofOfLogin } from '../src/standing/login-proof.ts';
import type { UserHold } from '../src/standing/user-hold.ts';
import { type UserWatch, watchUsers } from '../src/standing/watch-users.ts';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const place = { cluster: 'cluster1', server: 'sftp-server' };

let platform: TestPlatform;
let watch: UserWatch & AsyncDisposable;

beforeAll(async () => {
  platform = await openTestPlatform();
  const logger = createLogger({ service: 'test', level: 'fatal' });
  watch = await watchUsers({ db: platform.db, databaseUrl: platform.databaseUrl, place, logger });
});
afterAll(async () => {
  await watch?.[Symbol.asyncDispose]();
  await platform?.close();
});
beforeEach(async () => {
  const configuration = demoPlatform();
  Object.assign(configuration.actors[0]!, { groups: [{ name: 'clerks' }] });
  await platform.apply(configuration);
});

const directoryNow = () => openDirectory({ db: platform.db, cacheMs: 0 });

async function userNow() {
  const user = await directoryNow().findPartnerUser(userNameSchema.parse('acme'));
  if (user === undefined) throw new Error('no user');
  return user;
}

async function hold(): Promise<UserHold> {
  const user = await userNow();
  return watch.hold({ user, login: proofOfLogin(user, { password: true, addresses: ['10.0.0.1'] }) });
}

/** The code and the reason; waits for it. */
async function refusalOf({ signal }: UserHold): Promise<[string, string]> {
  await waitFor(() => signal.aborted, { what: 'the right to be withdrawn' });
  const reason: unknown = signal.reason;
  return isCodedError(reason) ? [reason.code, reason.message] : ['none', String(reason)];
}

describe('a hold with a permission that a group gives', () => {
  const need = async () => {
    const mounts = await directoryNow().openMounts(await userNow(), place);
    const vfsId = mounts.mounts[0]?.vfs.id ?? '';
    return [{ vfsId, path: parseVirtualPath('/inbox/a'), permission: 'upload' }, mounts] as const;
  };
  const define = (settings: string) =>
    platform.query(`UPDATE directory.user_groups SET definition = definition || '${settings}'`);
  const missing = ['connection_contract_missing', 'Connection contract not configured'];

  it('is withdrawn when the group is disabled', async () => {
    const acme = await hold();
    const branch = acme.branch(...(await need()));
    await define('{"enabled": false}');
    expect(await refusalOf(branch)).toEqual(missing);
    expect(await refusalOf(acme)).toEqual(missing);
  });

  /** As if time had passed: nothing is notified, and no version rises. */
  async function end(): Promise<void> {
    await platform.db.transaction(async (trx) => {
      await trx.raw('SET LOCAL session_replication_role = replica');
      await trx.raw(
        `UPDATE directory.user_groups SET definition = definition || '{"expires": "2001-01-01T00:00:00.000Z"}'`,
      );
    });
  }

  it('is withdrawn when the group ends, and commits nothing until then', async () => {
    const user = await userNow();
    await end();
    const login = proofOfLogin(user, { password: true, addresses: ['10.0.0.1'] });
    const acme = watch.hold({ user: { ...user, groupsExpire: new Date().toISOString() }, login });
    expect(acme.bindings()).toEqual({ accessVersion: 0 });
    expect(await refusalOf(acme)).toEqual(missing);
    await expect((async () => acme.renew(platform.db))()).rejects.toMatchObject({ code: missing[0] });
  });

  it('is withdrawn when it is required by mounts of a moment before the end', async () => {
    const acme = await hold();
    const [required, mounts] = await need();
    await end();
    expect(acme.signal.aborted).toBe(false);
    const branch = acme.branch(required, { ...mounts, expiresAt: Date.now() });
    expect(await refusalOf(branch)).toEqual(missing);
    acme[Symbol.dispose]();
  });
});
