import {
  presenceIntervalMs,
  type ServicePresence,
  servicePresenceSchema,
} from '@waybill/contracts/messages/service-presence';
import type { RedisConnection } from '../connect-redis.ts';
import { presenceKey } from './presence-key.ts';
import { redisTime } from './redis-time.ts';

/** A process of the platform, with its last report. */
export interface PresentProcess extends ServicePresence {
  /** Age of the report. */
  readonly ageMs: number;
  /** It has not reported for longer than three intervals: it died, hangs, or does not reach Redis. */
  readonly isSilent: boolean;
}

const silentAfterMs = 3 * presenceIntervalMs;

/** A process that has died is shown as silent for so long, unless another one has taken its place. */
const forgottenAfterMs = 15 * 60_000;

/** The processes of the platform by service and node. Old and damaged reports are removed. */
export async function readPresences(redis: RedisConnection): Promise<PresentProcess[]> {
  const [now, stored] = await Promise.all([redisTime(redis), redis.hgetall(presenceKey)]);
  const read = Object.entries(stored).map(([processId, text]) => ({ processId, presence: parsePresence(text) }));
  const gone = read.filter(({ presence }) => presence === undefined || now - presence.reportedAt > forgottenAfterMs);
  if (gone.length > 0) await redis.hdel(presenceKey, ...gone.map(({ processId }) => processId));
  const processes = read
    .filter((one) => !gone.includes(one))
    .flatMap(({ presence }) => presence ?? [])
    .map((presence) => {
      const ageMs = Math.max(0, now - presence.reportedAt);
      return { ...presence, ageMs, isSilent: ageMs > silentAfterMs };
    });
  const isReplaced = (one: PresentProcess): boolean =>
    one.isSilent && processes.some((other) => placeOf(other) === placeOf(one) && other.startedAt > one.startedAt);
  return processes
    .filter((process) => !isReplaced(process))
    .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
}

function placeOf({ service, node, role = '' }: ServicePresence): string {
  return JSON.stringify([service, node, role]);
}

function parsePresence(text: string): ServicePresence | undefined {
  try {
    return servicePresenceSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
