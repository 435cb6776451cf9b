import { auditLogCodes } from '@waybill/contracts/messages/audit-log-catalogue';
import { startConsumer } from '@waybill/outbox-relay/start-consumer';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { createKnexRecordLog } from '../adapters/knex-record-log.ts';
import type { AppendOutcome, LogWriter } from '../domain/log/log-writer.ts';
import type { IdentifiedEvent } from '../domain/records/log-record.ts';

/** The options of the consumer. */
export interface AuditEventConsumerOptions {
  db: Database;
  redisUrl: string;
  logger: Logger;
  writer: LogWriter;
  /** Called after a batch was committed; `oldestEventAt` is the time of its oldest event. */
  onRecorded(outcome: AppendOutcome, oldestEventAt: Date): void;
}

/** Only one process writes at a time, and a batch costs little more than one record. */
const eventsAtATime = 2_000;

/**
 * Appends every audit event to the audit log, in the transaction that deletes it from the outbox. While PostgreSQL
 * stores a batch, the next one is taken and hashed; the writer keeps their order.
 */
export function startAuditEventConsumer(options: AuditEventConsumerOptions): AsyncDisposable {
  const { db, redisUrl, logger, writer, onRecorded } = options;
  const outcomes = new WeakMap<readonly IdentifiedEvent[], AppendOutcome>();
  return startConsumer({
    db,
    redisUrl,
    topic: 'audit-event',
    batchSize: () => eventsAtATime,
    overlaps: true,
    logger,
    handle: async (trx, events) => {
      refuseReserved(events);
      outcomes.set(events, await writer.append(createKnexRecordLog(trx), events));
    },
    afterCommit: (events) => {
      const outcome = outcomes.get(events);
      const oldest = events.reduce((one, other) => (other.createdAt < one.createdAt ? other : one));
      outcome?.remember();
      if (outcome) onRecorded(outcome, oldest.createdAt);
    },
  });
}

/** Verifiers rely on the records that the log has about itself: no other service can add one. */
function refuseReserved(events: readonly IdentifiedEvent[]): void {
  const reserved = events.find(({ payload }) => auditLogCodes.has(payload.auditCode));
  if (reserved) throw new Error(`Only the audit log itself adds records with the code ${reserved.payload.auditCode}`);
}
