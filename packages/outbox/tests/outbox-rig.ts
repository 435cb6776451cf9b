import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import type { OutboxMessage } from '../src/message-rows.ts';
import { outboxSchema } from '../src/outbox-schema.ts';

/** An audit event with this text. */
export function auditMessage(text: string, context?: Record<string, string>): OutboxMessage {
  const circumstances = {
    user: 'u',
    nodeId: 'n',
    managerName: 'm',
    entityType: 'Note',
    entityName: text,
    entityId: text,
    context,
  };
  return { topic: 'audit-event', payload: composeAuditEvent('entityCreated', circumstances) };
}

/** A database with an outbox and a table of effects. */
export async function createOutboxRig() {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(
    await createTestDatabase({
      name: 'outbox',
      prepare: async (url) => {
        const db = connectPostgres({ url, applicationName: 'prepare' });
        await migrate(db, outboxSchema);
        await db.raw('CREATE TABLE effects (event_id uuid, entity text)');
        await db.destroy();
      },
    }),
  );
  const db = connectPostgres({ url: database.url, applicationName: 'outbox test' });
  stack.defer(() => db.destroy());
  const owned = stack.move();
  return {
    db,
    effects: (): Promise<string[]> => db('effects').orderBy('entity').pluck('entity'),
    waiting: async () => Number((await db('outbox.events').count<{ count: string }[]>())[0]?.count),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
