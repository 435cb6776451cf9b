import { startConsumer } from '@waybill/outbox-relay/start-consumer';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { createKnexRecordLog } from '../adapters/knex-record-log.ts';
import type { Signer } from '../domain/keys/signer.ts';
import type { TrustedKeys } from '../domain/keys/trusted-keys.ts';
import { appendEvents, type AppendOutcome } from '../domain/log/append-events.ts';

/** The options of the consumer. */
export interface AuditEventConsumerOptions {
  db: Database;
  redisUrl: string;
  logger: Logger;
  signer: Signer;
  trusted: TrustedKeys;
  /** Called after a batch was committed; `oldestEventAt` is the time of its oldest event. */
  onRecorded(outcome: AppendOutcome, oldestEventAt: Date): void;
}

/** Only one process writes at a time, and a batch costs little more than one record. */
const eventsAtATime = 500;

/** Appends every audit event to the audit log, in the transaction that deletes it from the outbox. */
export function startAuditEventConsumer(options: AuditEventConsumerOptions): AsyncDisposable {
  const { db, redisUrl, logger, signer, trusted, onRecorded } = options;
  let outcome: AppendOutcome | undefined;
  return startConsumer({
    db,
    redisUrl,
    topic: 'audit-event',
    batchSize: () => eventsAtATime,
    logger,
    handle: async (trx, events) => {
      outcome = await appendEvents({ log: createKnexRecordLog(trx), events, signer, trusted });
    },
    afterCommit: (events) => {
      const oldest = events.reduce((one, other) => (other.createdAt < one.createdAt ? other : one));
      if (outcome) onRecorded(outcome, oldest.createdAt);
    },
  });
}
