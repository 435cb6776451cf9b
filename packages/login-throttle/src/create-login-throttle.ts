import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/coded-error';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { BannedSubject } from './login-ban.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { throttleKeys, type ThrottleScope } from './throttle-keys.ts';

/** How many failures are too many. */
export interface ThrottleLimits {
  /** Failures for one user from one address. */
  readonly perUser: number;
  /** Failures from one address, whoever it says to be. */
  readonly perAddress: number;
  /** Failures count for this long after the first of them. */
  readonly windowSeconds: number;
}

/** Where failures are counted, and how many are too many. */
export interface ThrottleOptions {
  readonly redis: RedisConnection;
  /** Separates the doors: failures at one do not close another. */
  readonly scope: ThrottleScope;
  readonly limits: ThrottleLimits;
  /** Too many failures ban for this long from the last of them, instead of until they are forgotten. */
  readonly banSeconds?: number;
  /** Told once of each ban over the whole cluster, with how long it lasts; the attempt is settled when it resolves. */
  readonly onBan?: (subject: BannedSubject, seconds: number) => Promise<void>;
}

/** An attempt waits this long at most for those that are being judged. */
const patienceMs = 10_000;
const pollMs = 25;

/** The attempts of a peer that died are forgotten after this time. */
const pendingSeconds = 60;

/**
 * KEYS: failures and pending attempts of the user, then of the address. ARGV: their limits, then `pendingSeconds`.
 * Answers 0 and counts the attempt as pending, -1 when it has to wait, or the seconds until the failures are forgotten.
 */
const admission = `
local blocked, crowded = 0, false
for i = 1, 2 do
  local failures = tonumber(redis.call('GET', KEYS[2 * i - 1]) or 0)
  local pending = math.max(0, tonumber(redis.call('GET', KEYS[2 * i]) or 0))
  local limit = tonumber(ARGV[i])
  if failures >= limit then blocked = math.max(blocked, 1, redis.call('TTL', KEYS[2 * i - 1])) end
  crowded = crowded or failures + pending >= limit
end
if blocked > 0 then return blocked end
if crowded then return -1 end
for i = 1, 2 do
  redis.call('INCR', KEYS[2 * i])
  redis.call('EXPIRE', KEYS[2 * i], ARGV[3])
end
return 0`;

/**
 * KEYS: the failures, the bans. ARGV: how long failures count (s), how many are too many, how long a ban lasts (s, 0: until
 * the failures are forgotten), the banned subject. Answers the seconds that a ban lasts which begins with this failure, or 0.
 */
const failure = `
local failures = redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[1], 'NX')
local banSeconds = tonumber(ARGV[3])
if failures < tonumber(ARGV[2]) then return 0 end
if banSeconds > 0 then redis.call('EXPIRE', KEYS[1], banSeconds) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local left = redis.call('PTTL', KEYS[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local begun = redis.call('ZADD', KEYS[2], now + left, ARGV[4])
return begun * math.ceil(left / 1000)`;

/**
 * Counts failures in Redis, so that a guesser gains nothing by going from peer to peer. A user is blocked only for the
 * address that guessed: nobody can lock others out.
 */
export function createLoginThrottle({ redis, scope, limits, banSeconds = 0, onBan }: ThrottleOptions): LoginThrottle {
  const { perUser, perAddress } = limits;
  const keys = throttleKeys(scope);

  const tryToAdmit = async ({ userName, clientAddress }: LoginAttempt): Promise<number> => {
    const [user, address] = [{ userName, address: clientAddress }, { address: clientAddress }];
    const counters = [keys.failures(user), keys.pending(user), keys.failures(address), keys.pending(address)];
    const answer = await redis.eval(admission, counters.length, ...counters, perUser, perAddress, pendingSeconds);
    return z.int().parse(answer);
  };
  const countFailure = async (subject: BannedSubject, limit: number): Promise<() => Promise<void>> => {
    const counted = [keys.failures(subject), keys.bans] as const;
    const terms = [limits.windowSeconds, limit, banSeconds, JSON.stringify(subject)] as const;
    const seconds = z.int().parse(await redis.eval(failure, counted.length, ...counted, ...terms));
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
    settle: async ({ userName, clientAddress }, outcome) => {
      const [user, address] = [{ address: clientAddress, userName }, { address: clientAddress }];
      const counts = outcome === 'failed' ? [countFailure(user, perUser), countFailure(address, perAddress)] : [];
      const tellings = await Promise.all(counts);
      const commands = redis.multi();
      for (const subject of [user, address]) {
        commands.decr(keys.pending(subject)).expire(keys.pending(subject), pendingSeconds);
      }
      if (outcome === 'passed') commands.del(keys.failures(user)).zrem(keys.bans, JSON.stringify(user));
      await commands.exec();
      await Promise.all(tellings.map((tell) => tell()));
    },
  };
}

function refusal(seconds: number): CodedError {
  return new CodedError('too_many_requests', {
    detail: `Too many failed logins: try again in ${seconds} s`,
    names: { retryAfterSeconds: String(seconds) },
  });
}
