import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { LiveSession, ServerAddress } from '../domain/sessions/server-session.ts';
import { noActivity, type SessionActivity } from '../domain/sessions/session-activity.ts';
import type { OwnSessions } from '../domain/sessions/session-registry.ts';
import { publishChanges, type RedisStep } from './redis-session-feed.ts';
import { redisNow } from './redis-session-registry.ts';
import { registryKeys } from './registry-keys.ts';

/** The identity of this process in the registry. */
export interface OwnSessionsOptions {
  readonly redis: RedisConnection;
  readonly server: ServerAddress;
  /** Random: different after a restart of a peer, and for each of several processes of a peer. */
  readonly processId: string;
  /**
   * Without a renewal for this long this process and its sessions expire; default: 10 s, with three renewals in that
   * time.
   */
  readonly leaseMs?: number;
  /** Called when a renewal fails; the next one makes up for it. */
  failed(error: unknown): void;
}

/**
 * Announces this process and its sessions in Redis, under a lease: the entries of a process that dies expire after 10
 * s. The process holds its sessions in memory, so each renewal restores what a flushed or restarted Redis has lost.
 */
export async function announceOwnSessions(options: OwnSessionsOptions): Promise<OwnSessions & AsyncDisposable> {
  const { redis, server, processId, failed, leaseMs = 10_000 } = options;
  const member = JSON.stringify({ ...server, processId });
  const keys = { sessions: registryKeys.sessions(processId), activities: registryKeys.activities(processId) };
  const open = new Map<string, LiveSession>();

  const renew = async (): Promise<void> => {
    const [known, now] = await Promise.all([redis.hlen(keys.sessions), redisNow(redis)]);
    const step = redis.multi().zadd(registryKeys.processes, now + leaseMs, member);
    if (known !== open.size) putBack(step, keys, open);
    await step.pexpire(keys.sessions, leaseMs).pexpire(keys.activities, leaseMs).exec();
  };
  const own: OwnSessions = {
    add: async (session) => {
      const live: LiveSession = { server, session, activity: noActivity };
      open.set(session.sessionId, live);
      const step = redis.multi().hset(keys.sessions, session.sessionId, JSON.stringify(session));
      step.pexpire(keys.sessions, leaseMs);
      await publishChanges(step, [{ kind: 'opened', live }]).exec();
    },
    remove: async (sessionId) => {
      if (!open.delete(sessionId)) return;
      const step = redis.multi().hdel(keys.sessions, sessionId).hdel(keys.activities, sessionId);
      await publishChanges(step, [{ kind: 'ended', sessionId }]).exec();
    },
    report: async (activities) => {
      const moved = movedSessions(open, activities);
      if (moved.length === 0) return;
      for (const live of moved) open.set(live.session.sessionId, live);
      const stored = Object.fromEntries(
        moved.map(({ session, activity }) => [session.sessionId, JSON.stringify(activity)]),
      );
      const changes = moved.map((live) => ({ kind: 'changed', live }) as const);
      const step = redis.multi().hset(keys.activities, stored).pexpire(keys.activities, leaseMs);
      await publishChanges(step, changes).exec();
    },
  };

  await renew();
  const timer = setInterval(() => void renew().catch(failed), leaseMs / 3);
  return {
    ...own,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      clearInterval(timer);
      const step = redis.multi().zrem(registryKeys.processes, member).del(keys.sessions, keys.activities);
      await step.exec().catch(failed);
    },
  };
}

function putBack(
  step: RedisStep,
  keys: Record<'sessions' | 'activities', string>,
  open: Iterable<[string, LiveSession]>,
) {
  step.del(keys.sessions, keys.activities);
  for (const [id, { session, activity }] of open) {
    step.hset(keys.sessions, id, JSON.stringify(session)).hset(keys.activities, id, JSON.stringify(activity));
  }
}

function movedSessions(open: ReadonlyMap<string, LiveSession>, activities: ReadonlyMap<string, SessionActivity>) {
  return [...activities].flatMap(([sessionId, activity]) => {
    const known = open.get(sessionId);
    return known === undefined ? [] : [{ ...known, activity }];
  });
}
