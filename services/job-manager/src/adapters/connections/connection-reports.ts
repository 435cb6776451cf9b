import type { ConnectionHealth } from '@waybill/outbound/connections/connection-health';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { ConnectionReports } from '../../domain/connections/list-connection-health.ts';

/** How often a worker reports its client connections. */
export const reportIntervalMs = 5_000;

/** A report is believed for so long: a worker that is killed says nothing of its end. */
const reportLastsMs = 20_000;

/** A hash: the last report of each worker. */
const key = 'waybill:client-connections';

/** How a client connection does, as one process tells another one in JSON. */
export const reportedConnectionSchema = z.object({
  name: z.string(),
  inUse: z.int(),
  idle: z.int(),
  waiting: z.int(),
  isOpen: z.boolean(),
  nextAttemptAt: z.coerce.date().optional(),
  lastSuccessAt: z.coerce.date().optional(),
  lastFailure: z.object({ at: z.coerce.date(), code: z.string(), message: z.string() }).optional(),
});

const reportSchema = z.object({ reportedAt: z.coerce.date(), connections: z.array(reportedConnectionSchema) });

/** The reports of workers in Redis. A worker that uses no connection reports nothing. */
export function createConnectionReports(redis: RedisConnection): ConnectionReports & {
  publish(worker: string, connections: readonly ConnectionHealth[]): Promise<void>;
  remove(worker: string): Promise<void>;
} {
  return {
    publish: async (worker, connections) => {
      if (connections.length === 0) return;
      const report = JSON.stringify({ reportedAt: new Date(), connections });
      await redis.multi().hset(key, worker, report).pexpire(key, reportLastsMs).exec();
    },
    remove: async (worker) => void (await redis.hdel(key, worker)),
    read: async () => {
      const oldest = Date.now() - reportLastsMs;
      const reports = Object.entries(await redis.hgetall(key)).map(([worker, text]) => ({
        worker,
        ...parseReport(text),
      }));
      const gone = reports.filter(({ reportedAt }) => reportedAt.getTime() < oldest);
      if (gone.length > 0) await redis.hdel(key, ...gone.map(({ worker }) => worker));
      return reports
        .filter((report) => !gone.includes(report))
        .flatMap(({ worker, reportedAt, connections }) =>
          connections.map((connection) => ({ ...connection, worker, reportedAt })),
        );
    },
  };
}

type Report = z.infer<typeof reportSchema>;

/** What cannot be read, such as the report of a worker of another version, is as good as none. */
function parseReport(text: string): Report {
  try {
    return reportSchema.parse(JSON.parse(text));
  } catch {
    return { reportedAt: new Date(0), connections: [] };
  }
}
