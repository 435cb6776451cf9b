import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { AppendOutcome } from './domain/log/log-writer.ts';

/** The business events of the service, one function each, with all of its logs and metrics. */
export interface AuditServiceEvents {
  /** The log at the start of this process can be trusted, and continues what is remembered. */
  logOpened(outcome: AppendOutcome): void;
  /**
   * The audit log has signatures of untrusted keys, for example after a rotation in which the old key was not
   * named.
   */
  keysUnknown(publicKeys: readonly string[]): void;
  /** A batch was committed; `oldestEventAt` is the time of its oldest event. */
  eventsRecorded(outcome: AppendOutcome, oldestEventAt: Date): void;
  /** A checkpoint, a signed note, for logs that are stored elsewhere. */
  checkpointSigned(checkpoint: string): void;
  /** The checkpoint could not be remembered outside of the database. */
  checkpointNotRemembered(error: unknown): void;
  recordVerified(outcome: AuditVerification): void;
  /** Old records were moved to archives. */
  recordsArchived(records: number): void;
  /** Old records could not be archived: none was deleted. */
  archiveFailed(error: unknown): void;
  /** Personal values were erased by request. */
  valuesErased(redaction: { user: string; records: number; fields: readonly string[] }): void;
}

/** Writes logs and metrics. */
export function createEvents(logger: Logger, metrics: Metrics): AuditServiceEvents {
  const recorded = metrics.counter({ name: 'waybill_audit_records_total', help: 'Records appended' });
  const repeated = metrics.counter({
    name: 'waybill_audit_repeated_events_total',
    help: 'Events that were already recorded',
  });
  const head = metrics.gauge({ name: 'waybill_audit_head_sequence', help: 'Sequence number of the last record' });
  const lag = metrics.histogram({
    name: 'waybill_audit_lag_seconds',
    help: 'Time from an event to its record, for the oldest event of each batch',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3_600],
  });
  const memoryFailures = metrics.counter({
    name: 'waybill_audit_checkpoint_failures_total',
    help: 'Checkpoints that could not be remembered in AUDIT_CHECKPOINT_FILE',
  });
  const archived = metrics.counter({
    name: 'waybill_audit_archived_records_total',
    help: 'Records that were moved to archives',
  });
  const archiveFailures = metrics.counter({
    name: 'waybill_audit_archive_failures_total',
    help: 'Attempts to archive records that failed',
  });
  const redacted = metrics.counter({
    name: 'waybill_audit_redacted_records_total',
    help: 'Records of which personal values were erased by request',
  });
  const findings = metrics.gauge({
    name: 'waybill_audit_verification_findings',
    help: 'Findings of the last verification',
  });
  return {
    logOpened: ({ size, checkpoint }) => {
      head.set(size);
      logger.info({ size, checkpoint }, 'audit log opened');
    },
    keysUnknown: (publicKeys) => {
      const advice = 'name it in AUDIT_TRUSTED_PUBLIC_KEYS if it is a retired key of this platform';
      logger.error({ publicKeys }, `the audit log was signed by a key that is not trusted: ${advice}`);
    },
    eventsRecorded: (outcome, oldestEventAt) => {
      recorded.inc(outcome.appended);
      repeated.inc(outcome.repeated);
      head.set(outcome.size);
      lag.observe(Math.max(0, Date.now() - oldestEventAt.getTime()) / 1_000);
      logger.debug({ appended: outcome.appended, sequence: outcome.size }, 'events recorded');
    },
    checkpointSigned: (checkpoint) => {
      logger.info({ checkpoint }, 'audit checkpoint signed');
    },
    checkpointNotRemembered: (error) => {
      memoryFailures.inc();
      logger.error({ err: error }, 'the last checkpoint of the audit log could not be remembered');
    },
    recordsArchived: (records) => {
      archived.inc(records);
      logger.info({ records }, 'audit records archived');
    },
    archiveFailed: (error) => {
      archiveFailures.inc();
      logger.error({ err: error }, 'audit records could not be archived: none was deleted');
    },
    valuesErased: (redaction) => {
      redacted.inc(redaction.records);
      logger.warn(redaction, 'personal values of audit records were erased');
    },
    recordVerified: ({ intact, records, lastSequence, findingCount, findings: first }) => {
      findings.set(findingCount);
      const outcome = { records, lastSequence, findingCount };
      const lacksKeys = findingCount === first.length && first.every(({ kind }) => kind === 'checkpoint_key_unknown');
      if (intact) logger.info(outcome, 'the audit log is intact');
      else if (lacksKeys)
        logger.error({ ...outcome, findings: first }, 'the audit log was signed by keys that are not trusted');
      else logger.error({ ...outcome, findings: first }, 'THE AUDIT LOG WAS TAMPERED WITH');
    },
  };
}
