import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestRedis } from '@waybill/test-kit/create-test-redis';
import type { EventHandler } from '../src/received-event.ts';
import { startConsumer } from '../src/start-consumer.ts';
import { startRelay } from '../src/start-relay.ts';

/** An audit event with this text. */
export function auditMessage(text: string): OutboxMessage {
  const circumstances = {
    user: 'u',
    nodeId: 'n',
    managerName: 'm',
    entityType: 'Note',
    entityName: text,
    entityId: text,
  };
  return { topic: 'audit-event', payload: composeAuditEvent('entityCreated', circumstances) };
}

/** A database with an outbox and a table of effects, a Redis, and functions to send and to consume. */
export async function createRelayRig() {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(
    await createTestDatabase({
      name: 'outbox_relay',
      prepare: async (url) => {
        const db = connectPostgres({ url, applicationName: 'prepare' });
        await migrate(db, outboxSchema);
        await db.raw('CREATE TABLE effects (event_id uuid, entity text)');
        await db.destroy();
      },
    }),
  );
  const redis = stack.use(await createTestRedis());
  const db = connectPostgres({ url: database.url, applicationName: 'outbox test' });
  stack.defer(() => db.destroy());
  const logger = createLogger({ service: 'test', level: 'silent' });
  const base = { db, redisUrl: redis.url, logger };
  const record: EventHandler<'audit-event'> = async (trx, events) => {
    await trx('effects').insert(events.map(({ id, payload }) => ({ event_id: id, entity: payload.entityName })));
  };
  const owned = stack.move();
  return {
    db,
    redis,
    startRelay: (metrics = createMetrics('test')) => startRelay({ redisUrl: redis.url, logger, metrics }),
    startConsumer: (handle: EventHandler<'audit-event'> = record) =>
      startConsumer({ ...base, topic: 'audit-event', batchSize: () => 100, handle }),
    record,
    /** Messages of the topic that wait in Redis. */
    waitingWakeUps: async () => {
      const client = connectRedis({ url: redis.url, name: 'outbox test', logger });
      try {
        return await client.llen('waybill:queue:outbox.audit-event:wait');
      } finally {
        client.disconnect();
      }
    },
    send: (...texts: string[]) => db.transaction((trx) => appendToOutbox(trx, texts.map(auditMessage))),
    effects: (): Promise<string[]> => db('effects').orderBy('entity').pluck('entity'),
    waiting: async () => Number((await db('outbox.events').count<{ count: string }[]>())[0]?.count),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
