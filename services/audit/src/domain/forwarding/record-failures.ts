import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import type { WriterIdentity } from '../log/log-events.ts';
import type { ForwardReports } from './forward-records.ts';

/** How failures of a destination are recorded. */
export interface FailureRecording {
  readonly destination: string;
  readonly identity: WriterIdentity;
  /** A destination that has failed for this time is recorded. */
  readonly alertMs: number;
  append(event: AuditEvent): Promise<void>;
}

/** The same reports, with a record of a failure that lasts, and of its end. */
export function withFailureRecords(reports: ForwardReports, recording: FailureRecording): ForwardReports {
  const { destination, identity, alertMs, append } = recording;
  let position = 0;
  let failedSince: Date | undefined;
  let isRecorded = false;
  const record = async (since: Date, reason?: string): Promise<boolean> => {
    const payload = composeAuditEvent(reason === undefined ? 'auditForwardingRecovered' : 'auditForwardingFailed', {
      ...identity,
      user: '',
      entityType: 'Audit forwarding',
      entityName: destination,
      entityId: String(position),
      names: { size: String(position), since: since.toISOString(), ...(reason !== undefined && { reason }) },
    });
    try {
      await append(payload);
      return true;
    } catch (error) {
      // The next failure or delivery is recorded.
      await reports.failed(error);
      return false;
    }
  };
  return {
    ...reports,
    held: (state) => {
      ({ position } = state);
      reports.held(state);
    },
    // Another process reports it from now on.
    notHeld: () => {
      failedSince = undefined;
      isRecorded = false;
      reports.notHeld();
    },
    failed: async (error) => {
      failedSince ??= new Date();
      await reports.failed(error);
      if (isRecorded || Date.now() - failedSince.getTime() < alertMs) return;
      isRecorded = await record(failedSince, error instanceof Error ? error.message : String(error));
    },
    delivered: async (delivery) => {
      position += delivery.records;
      await reports.delivered(delivery);
      if (isRecorded && failedSince && !(await record(failedSince))) return;
      isRecorded = false;
      failedSince = undefined;
    },
  };
}
