import { randomUUID } from 'node:crypto';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import {
  type RunningTransfer,
  type TransferOrder,
  transferOrderSchema,
  transferOrdersKey,
  type TransferReport,
  transferReportIntervalMs,
  transferReportsKey,
} from '@waybill/contracts/messages/running-transfer';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { redisTime } from '@waybill/redis/presence/redis-time';
import type { ServerPlace } from '../domain/access/origin-of.ts';
import type { RunningTransfers } from '../domain/transfers/running-transfers.ts';

/** What is published, and where. */
export interface TransferPublication {
  readonly transfers: RunningTransfers;
  readonly redis: RedisConnection;
  readonly db: Database;
  readonly server: ServerPlace;
  readonly managerName: string;
  failed(error: unknown): void;
}

/** A transfer is published when it has run for so long: most end before. */
const shownAfterMs = 1_000;

/** More are counted only. */
const shownAtMost = 1_000;

/** The hash goes some time after the last report. */
const keptSeconds = 60;

/**
 * Publishes the transfers of this process once a second, and ends those that an administrator orders to end. Without such
 * transfers nothing is sent.
 */
export function publishTransfers(publication: TransferPublication): AsyncDisposable {
  const { transfers, redis, server, failed } = publication;
  const processId = randomUUID();
  let isPublished = false;
  const publish = async (): Promise<void> => {
    const running = transfers.report(shownAfterMs);
    if (running.length === 0 && !isPublished) return;
    await takeOrders(publication, running);
    if (running.length === 0) {
      await redis.hdel(transferReportsKey, processId);
      isPublished = false;
      return;
    }
    const shown = running.slice(0, shownAtMost);
    const report: TransferReport = {
      ...server,
      reportedAt: await redisTime(redis),
      omitted: running.length - shown.length,
      transfers: shown,
    };
    isPublished = true;
    const step = redis.multi().hset(transferReportsKey, processId, JSON.stringify(report));
    await step.expire(transferReportsKey, keptSeconds).exec();
  };
  let publishing: Promise<void> | undefined;
  const tick = (): void => {
    // One at a time: while Redis is slow, the next report has what has changed.
    publishing ??= publish()
      .catch(failed)
      .finally(() => {
        publishing = undefined;
      });
  };
  const timer = setInterval(tick, transferReportIntervalMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await publishing;
      if (isPublished) await redis.hdel(transferReportsKey, processId).catch(failed);
    },
  };
}

async function takeOrders(publication: TransferPublication, running: readonly RunningTransfer[]): Promise<void> {
  if (running.length === 0) return;
  const { redis } = publication;
  const orders = await redis.hmget(transferOrdersKey, ...running.map(({ id }) => id));
  for (const [index, { id }] of running.entries()) {
    const order = parseOrder(orders[index]);
    if (order === undefined) continue;
    // The process that removes the order follows it.
    if ((await redis.hdel(transferOrdersKey, id)) === 1) await followOrder(publication, id, order);
  }
}

async function followOrder(publication: TransferPublication, id: string, order: TransferOrder): Promise<void> {
  const { transfers, db, server, managerName } = publication;
  const ended = transfers.end(id);
  if (!ended) return;
  const { userName: whose, path, direction } = ended;
  const payload = composeAuditEvent('transferEnded', {
    user: order.requestedBy,
    nodeId: server.peerName,
    managerName,
    entityType: 'HTTP Server',
    entityName: server.serverName,
    entityId: server.peerName,
    names: { direction, path: path ?? '', whose },
    context: { ...order.requestedFrom },
  });
  await db.transaction((trx) => appendToOutbox(trx, [{ topic: 'audit-event', payload }]));
}

function parseOrder(text: string | null | undefined): TransferOrder | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return transferOrderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
