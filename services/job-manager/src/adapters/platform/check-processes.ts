import type { RedisConnection } from '@waybill/redis/connect-redis';
import { type PresentProcess, readPresences } from '@waybill/redis/presence/read-presences';
import type { Finding } from '../../domain/platform/watched-part.ts';

/** Reads how the processes of all services do. */
export async function checkProcesses(redis: RedisConnection): Promise<Finding<readonly PresentProcess[]>> {
  const details = await readPresences(redis);
  const troubled = details.filter((process) => !isReady(process));
  if (troubled.length === 0) return { state: 'up', details };
  const served = new Set(details.filter(isReady).map(kindOf));
  const gone = troubled.find((process) => !served.has(kindOf(process)));
  if (gone) return { state: 'down', reason: `No process of ${kindOf(gone)} is ready`, details };
  const names = troubled.slice(0, 3).map(({ service, node }) => `${service} on ${node}`);
  return { state: 'degraded', reason: `Not ready: ${names.join(', ')}`, details };
}

function isReady({ isSilent, failing }: PresentProcess): boolean {
  return !isSilent && failing.length === 0;
}

function kindOf({ service, role }: PresentProcess): string {
  return role === undefined || role === 'all' ? service : `${service} (${role})`;
}
