import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { CountNetwork } from '@waybill/service-kit/network/counted-network';
import { z } from 'zod';
import type { BannedSubject, ThrottleScope } from './login-ban.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { subjectId, throttleKeys } from './throttle-keys.ts';
import { admission, failure, release } from './throttle-scripts.ts';

/** The limits of failures. */
export interface ThrottleLimits {
  /** Failures for one user from one address. */
  readonly perUser: number;
  /** Failures from one address, of any users. */
  readonly perAddress: number;
  /** How long failures count after the first one. */
  readonly windowSeconds: number;
}

/** The place and the limits of the counts of failures. */
export interface ThrottleOptions {
  readonly redis: RedisConnection;
  /** Separates the interfaces: failures at one do not block another. */
  readonly scope: ThrottleScope;
  readonly limits: ThrottleLimits;
  /** Determines which addresses count as one. */
  readonly countNetwork: CountNetwork;
  /** Maximum number of subjects (an address, or a user from one) whose failures are stored; 50 000 by default. */
  readonly subjectsAtMost?: number;
  /** The duration of a ban, from the last failure; by default a ban lasts until the failures expire. */
  readonly banSeconds?: number;
  /** Called once for each ban in the whole cluster, with its duration; the attempt is settled when it resolves. */
  readonly onBan?: (subject: BannedSubject, seconds: number) => Promise<void>;
}

/** The maximum time that an attempt waits for pending attempts. */
const patienceMs = 10_000;
const pollMs = 25;

/**
 * The number of subjects whose failures are stored for one interface; beyond it, those that expire first are dropped.
 * One takes some 300 bytes of Redis, so an interface takes 15 MB at most, for any number of addresses. That is enough
 * for 80 failed logins a second, each from another address, over the usual window of five minutes, which occupy three
 * cores. To have the failures of an address dropped, an attacker must fail 25 000 times from others.
 */
const defaultSubjectsAtMost = 50_000;

/**
 * The number of listed bans of one interface. Beyond it, those that end first are removed from the list; the failures
 * still block them.
 */
const bansAtMost = 10_000;

/** The pending attempts of a peer that has died expire after this time. */
const pendingSeconds = 60;

/**
 * Counts failures in Redis, so that an attacker gains nothing by switching peers. A user is blocked only for the
 * address that guessed, so that an attacker cannot lock others out.
 */
export function createLoginThrottle(options: ThrottleOptions): LoginThrottle {
  const { redis, scope, limits, countNetwork, banSeconds = 0, onBan } = options;
  const { subjectsAtMost = defaultSubjectsAtMost } = options;
  const { perUser, perAddress, windowSeconds } = limits;
  const keys = throttleKeys(scope);

  const subjectsOf = ({ userName, clientAddress }: LoginAttempt) => {
    const address = countNetwork(clientAddress);
    return { user: { address, userName }, address: { address } } as const;
  };
  const tryToAdmit = async (attempt: LoginAttempt): Promise<number> => {
    const { user, address } = subjectsOf(attempt);
    const counters = [keys.failures, keys.expiries, keys.pending(user), keys.pending(address)] as const;
    const terms = [subjectId(user), subjectId(address), perUser, perAddress, pendingSeconds] as const;
    return z.int().parse(await redis.eval(admission, counters.length, ...counters, ...terms));
  };
  const countFailure = async (subject: BannedSubject, limit: number): Promise<() => Promise<void>> => {
    const counters = [keys.failures, keys.expiries, keys.bans] as const;
    const times = [windowSeconds * 1_000, limit, banSeconds * 1_000] as const;
    const terms = [subjectId(subject), ...times, JSON.stringify(subject), subjectsAtMost, bansAtMost] as const;
    const seconds = z.int().parse(await redis.eval(failure, counters.length, ...counters, ...terms));
    return async () => {
      if (seconds > 0) await onBan?.(subject, seconds);
    };
  };

  return {
    admit: async (attempt) => {
      const deadline = performance.now() + patienceMs;
      let wait = await tryToAdmit(attempt);
      while (wait < 0 && performance.now() < deadline) {
        await sleep(pollMs);
        wait = await tryToAdmit(attempt);
      }
      if (wait === 0) return;
      throw refusal(Math.max(1, wait));
    },
    settle: async (attempt, outcome) => {
      const { user, address } = subjectsOf(attempt);
      const counts = outcome === 'failed' ? [countFailure(user, perUser), countFailure(address, perAddress)] : [];
      const tellings = await Promise.all(counts);
      const commands = redis.multi().eval(release, 2, keys.pending(user), keys.pending(address));
      if (outcome === 'passed') {
        const id = subjectId(user);
        commands.hdel(keys.failures, id).zrem(keys.expiries, id).zrem(keys.bans, JSON.stringify(user));
      }
      await commands.exec();
      await Promise.all(tellings.map((tell) => tell()));
    },
  };
}

function refusal(seconds: number): CodedError {
  return new CodedError('too_many_requests', {
    detail: `Too many failed logins: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
    names: { retryAfterSeconds: String(seconds) },
  });
}
