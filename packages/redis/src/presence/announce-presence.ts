import { randomUUID } from 'node:crypto';
import { presenceIntervalMs, type ServicePresence } from '@waybill/contracts/messages/service-presence';
import type { Health } from '@waybill/service-kit/telemetry/health';
import type { RedisConnection } from '../connect-redis.ts';
import { presenceKey } from './presence-key.ts';
import { redisTime } from './redis-time.ts';

/** What a process reports of itself besides its state. */
export type ReportedFacts = Pick<ServicePresence, 'audit' | 'expiring'>;

/** The process that announces itself. */
export interface PresenceOptions extends Pick<ServicePresence, 'service' | 'node'> {
  readonly redis: RedisConnection;
  readonly health: Pick<Health, 'readiness'>;
  readonly role?: string;
  /** What else is reported, read each time. */
  readonly facts?: () => Promise<ReportedFacts>;
  readonly intervalMs?: number;
}

/** The hash outlives a platform that has stopped by a day. */
const keptSeconds = 86_400;

/**
 * Reports this process in Redis again and again, until it is disposed of: then its report is removed. While Redis does
 * not answer there are no reports, which others see; nothing else fails.
 */
export function announcePresence(options: PresenceOptions): AsyncDisposable {
  const {
    redis,
    health,
    service,
    node,
    role,
    facts = () => Promise.resolve({}),
    intervalMs = presenceIntervalMs,
  } = options;
  const processId = randomUUID();
  const startedAt = new Date().toISOString();
  const report = async (): Promise<void> => {
    const { checks } = await health.readiness();
    const failing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
    const identity = { service, node, ...(role !== undefined && { role }), startedAt };
    const presence: ServicePresence = { ...identity, failing, ...(await facts()), reportedAt: await redisTime(redis) };
    const step = redis.multi().hset(presenceKey, processId, JSON.stringify(presence));
    await step.expire(presenceKey, keptSeconds).exec();
  };
  let reporting: Promise<void> | undefined;
  const tick = (): void => {
    reporting ??= report()
      // The connection logs its failures.
      .catch(() => undefined)
      .finally(() => {
        reporting = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, intervalMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await reporting;
      await redis.hdel(presenceKey, processId).catch(() => undefined);
    },
  };
}
