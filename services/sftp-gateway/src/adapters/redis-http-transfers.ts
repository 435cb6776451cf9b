import { setTimeout as sleep } from 'node:timers/promises';
import {
  transferOrdersKey,
  type TransferReport,
  transferReportSchema,
  transferReportsKey,
} from '@waybill/contracts/messages/running-transfer';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { HttpTransfers } from '../domain/transfers/running-transfer.ts';
import { redisNow } from './redis-session-registry.ts';

/** A process without a report for so long has died. */
const leaseMs = 10_000;

/** Processes look for orders once a second. */
const answerTimeoutMs = 3_000;
const lookEveryMs = 50;

/** An order that nobody has taken is forgotten. */
const orderSeconds = 10;

/** Reads what the HTTP servers keep in Redis, and leaves orders there. */
export function createRedisHttpTransfers(redis: RedisConnection): HttpTransfers {
  return {
    list: async () => {
      const [stored, now] = await Promise.all([redis.hgetall(transferReportsKey), redisNow(redis)]);
      const reports = Object.entries(stored).map(([processId, text]) => ({ processId, report: parseReport(text) }));
      const isDead = (report: TransferReport | undefined): boolean =>
        report === undefined || now - report.reportedAt > leaseMs;
      const gone = reports.filter(({ report }) => isDead(report)).map(({ processId }) => processId);
      if (gone.length > 0) await redis.hdel(transferReportsKey, ...gone);
      const alive = reports.flatMap(({ report }) => (report === undefined || isDead(report) ? [] : report));
      return {
        omitted: alive.reduce((sum, { omitted }) => sum + omitted, 0),
        transfers: alive.flatMap(({ clusterName, peerName, serverName, transfers }) =>
          transfers.map((one) => ({ ...one, clusterName, peerName, serverName, protocol: 'HTTP' as const })),
        ),
      };
    },
    end: async (id, order) => {
      const step = redis.multi().hset(transferOrdersKey, id, JSON.stringify(order));
      await step.expire(transferOrdersKey, orderSeconds).exec();
      const giveUpAt = performance.now() + answerTimeoutMs;
      while (performance.now() < giveUpAt) {
        await sleep(lookEveryMs);
        if ((await redis.hexists(transferOrdersKey, id)) === 0) return true;
      }
      // Taken at the last moment, it was followed.
      return (await redis.hdel(transferOrdersKey, id)) === 0;
    },
  };
}

function parseReport(text: string): TransferReport | undefined {
  try {
    return transferReportSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
