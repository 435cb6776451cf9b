import type { Database, Queryable } from '@waybill/postgres/database';
import { listen } from '@waybill/postgres/listen';
import { runWhenWoken } from '@waybill/service-kit/run-when-woken';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Mounts } from '../access/mounts.ts';
import type { PartnerUser } from '../users/partner-user.ts';
import { type NeededPermission, refusalOfClaim } from './claim.ts';
import { loadStandings, readAccessVersion, type Standing } from './load-standings.ts';
import { expiryOfLogin, type LoginProof } from './login-proof.ts';
import { unchangedAccess, type UserHold } from './user-hold.ts';

/** The user of an operation, in the state in which it was permitted. */
export interface HoldingUser {
  readonly user: PartnerUser;
  readonly login: LoginProof;
  /** The mounts that permitted the operation. */
  readonly mounts?: Mounts | undefined;
}

/** Withdraws permissions that users no longer have. */
export interface UserWatch {
  hold(by: HoldingUser): UserHold;
}

/** The options of the watch. */
export interface UserWatchOptions {
  readonly db: Database;
  readonly databaseUrl: string;
  /** The server whose Connection Contracts apply. */
  readonly place: { readonly cluster: string; readonly server: string };
  readonly logger: Logger;
}

/** The interval of checks for changes without a notification: for lost notifications, and for keys, accounts and groups that expire. */
const pollIntervalMs = 1_000;

/** The maximum of users in one statement. */
const usersAtOnce = 200;

/** Follows the configuration through notifications and by polling each second, until it is disposed of. */
export async function watchUsers(options: UserWatchOptions): Promise<UserWatch & AsyncDisposable> {
  const { db, databaseUrl, place, logger } = options;
  await using started = new AsyncDisposableStack();
  const holds = new Set<WatchedHold>();
  let known = 0;

  const judge = async (): Promise<void> => {
    known = Math.max(known, await readAccessVersion(db));
    const due = [...holds].filter((hold) => hold.isDue(known));
    const userIds = [...new Set(due.map(({ userId }) => userId))];
    const standings = new Map<string, Standing>();
    for (let from = 0; from < userIds.length; from += usersAtOnce) {
      const page = await loadStandings(db, userIds.slice(from, from + usersAtOnce), place);
      for (const [userId, standing] of page) standings.set(userId, standing);
    }
    for (const hold of due) hold.judge(standings.get(hold.userId));
  };
  const loop = started.use(
    runWhenWoken(async () => {
      if (holds.size === 0) return;
      try {
        await judge();
      } catch (error) {
        logger.warn({ err: error }, 'cannot read the permissions of users: trying again');
      }
    }),
  );
  started.adopt(setInterval(loop.wake, pollIntervalMs).unref(), clearInterval);
  started.use(await listen({ url: databaseUrl, channel: 'waybill_access', logger, onNotify: loop.wake }));

  const add = (hold: WatchedHold): UserHold => {
    holds.add(hold);
    if (hold.isDue(known)) loop.wake();
    return hold;
  };
  const parts: HoldParts = {
    add,
    remove: (hold) => void holds.delete(hold),
    load: async (on, userId) => (await loadStandings(on, [userId], place)).get(userId),
  };
  const running = started.move();
  return {
    hold: (by) => add(new WatchedHold(parts, by)),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

interface HoldParts {
  add(hold: WatchedHold): UserHold;
  remove(hold: WatchedHold): void;
  load(on: Queryable, userId: string): Promise<Standing | undefined>;
}

/** A hold as the watch sees it. */
class WatchedHold implements UserHold {
  readonly condition = unchangedAccess;
  readonly #parts: HoldParts;
  readonly #by: HoldingUser;
  readonly #withdrawn = new AbortController();
  #needs: readonly NeededPermission[] = [];
  /** All permissions were valid at this version. */
  #version: number;
  #expiresAt: number;

  constructor(parts: HoldParts, by: HoldingUser) {
    const { user, login, mounts } = by;
    this.#parts = parts;
    this.#by = by;
    this.#version = Math.min(user.accessVersion, mounts?.accessVersion ?? Infinity);
    this.#expiresAt = Math.min(expiryOfLogin(user, login), mounts?.expiresAt ?? Infinity);
  }

  get userId(): string {
    return this.#by.user.id;
  }

  get signal(): AbortSignal {
    return this.#withdrawn.signal;
  }

  require(needs: readonly NeededPermission[], { accessVersion, expiresAt }: Mounts): void {
    this.signal.throwIfAborted();
    this.#needs = [...this.#needs, ...needs];
    this.#version = Math.min(this.#version, accessVersion);
    this.#expiresAt = Math.min(this.#expiresAt, expiresAt);
    this.#parts.add(this);
  }

  branch(need: NeededPermission, grantedBy: Mounts): UserHold {
    this.signal.throwIfAborted();
    const branch = new WatchedHold(this.#parts, this.#by);
    branch.#version = this.#version;
    branch.#expiresAt = this.#expiresAt;
    branch.require([need], grantedBy);
    return branch;
  }

  bindings(): { accessVersion: number } {
    return { accessVersion: this.#hasExpired ? 0 : this.#version };
  }

  async renew(on: Queryable): Promise<void> {
    this.signal.throwIfAborted();
    this.judge(await this.#parts.load(on, this.userId));
    this.signal.throwIfAborted();
  }

  /** Whether it must be checked again after a change in this version. */
  isDue(version: number): boolean {
    return this.#version < version || this.#hasExpired;
  }

  /** Withdraws the permissions if the user no longer has all of them. */
  judge(standing: Standing | undefined): void {
    const refusal = refusalOfClaim(standing, { login: this.#by.login, needs: this.#needs });
    if (refusal !== undefined || standing === undefined) {
      this[Symbol.dispose]();
      this.#withdrawn.abort(refusal);
      return;
    }
    this.#version = standing.user.accessVersion;
    this.#expiresAt = expiryOfLogin(standing.user, this.#by.login);
  }

  [Symbol.dispose](): void {
    this.#parts.remove(this);
  }

  get #hasExpired(): boolean {
    return this.#expiresAt <= Date.now();
  }
}
