import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openDirectory } from '../src/open-directory.ts';
import { readAccessVersion } from '../src/standing/load-standings.ts';
import { proofOfLogin } from '../src/standing/login-proof.ts';
import type { UserHold } from '../src/standing/user-hold.ts';
import { type UserWatch, watchUsers } from '../src/standing/watch-users.ts';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const place = { cluster: 'cluster1', server: 'sftp-server' };

let platform: TestPlatform;
let watch: UserWatch & AsyncDisposable;

// The watch looks at the clock for its polls alone, and this clock moves only when a test says so: how loaded the machine is
// makes no difference.
beforeAll(async () => {
  platform = await openTestPlatform();
  const configuration = demoPlatform();
  configuration.actors[0]!.users[1]!.groups = ['clerks'];
  await platform.apply(configuration);
  const logger = createLogger({ service: 'test', level: 'fatal' });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  watch = await watchUsers({ db: platform.db, databaseUrl: platform.databaseUrl, place, logger });
});
afterEach(() => platform.query('DELETE FROM directory.frozen_users'));
afterAll(async () => {
  vi.useRealTimers();
  await watch?.[Symbol.asyncDispose]();
  await platform?.close();
});

async function hold(name: string): Promise<UserHold> {
  const user = await openDirectory({ db: platform.db, cacheMs: 0 }).findPartnerUser(userNameSchema.parse(name));
  if (user === undefined) throw new Error(`no user ${name}`);
  return watch.hold({ user, login: proofOfLogin(user, { password: true, addresses: ['10.0.0.1'] }) });
}

const freeze = `INSERT INTO directory.frozen_users VALUES ('acme', now(), 'admin')`;

/** The same change as the triggers make it, but for the notification. */
async function freezeWithoutNotification(): Promise<void> {
  await platform.db.transaction(async (trx) => {
    await trx.raw(`SET LOCAL session_replication_role = replica`);
    await trx.raw(freeze);
    await trx.raw(`UPDATE directory.partner_users SET login_epoch = login_epoch + 1 WHERE name = 'acme'`);
    await trx.raw(`UPDATE directory.access_state SET version = version + 1`);
  });
}

const withdrawn = ({ signal }: UserHold) => waitFor(() => signal.aborted, { what: 'the right to be withdrawn' });

it('a notified change withdraws a right before any time has passed for the polls', async () => {
  using acme = await hold('acme');
  await platform.query(freeze);
  expect(await withdrawn(acme)).toBe(true);
});

it('a change whose notification is lost withdraws a right at the next poll, after one second at most', async () => {
  using acme = await hold('acme');
  using witness = await hold('acme-2');
  await freezeWithoutNotification();
  vi.advanceTimersByTime(1_000);
  expect(await withdrawn(acme)).toBe(true);
  expect(witness.signal.aborted).toBe(false);
  // The same look has judged the others.
  expect(witness.bindings().accessVersion).toBe(await readAccessVersion(platform.db));
});
