import type { AuditRedactionRequest } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { WriterIdentity } from '../log/log-events.ts';
import type { AppendOutcome, LogWriter } from '../log/log-writer.ts';
import type { RecordLog } from '../log/record-log.ts';
import type { IdentifiedEvent } from '../records/log-record.ts';
import { writeRanges } from './number-ranges.ts';

/** The records in one transaction. */
export interface RedactableRecords {
  /** The numbers of the records that match, ascending; at most `limit`. */
  find(request: Pick<AuditRedactionRequest, 'q' | 'ids'>, limit: number): Promise<number[]>;
  /** Erases values. Returns the numbers of the records that had one. */
  erase(numbers: readonly number[], fields: readonly string[]): Promise<number[]>;
  readonly log: RecordLog;
}

/** Runs transactions; one that returns `undefined` is rolled back. */
export interface RedactionStore {
  transact<T>(use: (records: RedactableRecords) => Promise<T | undefined>): Promise<T | undefined>;
}

/** Erases personal values of records by request. */
export interface Redactor {
  /**
   * Erases values and records it, in one transaction; a dry run only counts the records.
   * @throws CodedError `validation_failed` for too many records, or a part of the fields of a record of the former chain
   */
  redact(request: AuditRedactionRequest, user: string): Promise<{ records: number; dryRun: boolean }>;
}

const recordsAtMost = 50_000;
/** Scattered records in one record of a redaction, whose text is then at most 100 KB. */
const numbersAtMost = 10_000;

/** Creates a redactor. `onErased` is called after the commit. */
export function createRedactor(parts: {
  readonly store: RedactionStore;
  readonly writer: LogWriter;
  readonly identity: WriterIdentity;
  onErased(redaction: { user: string; records: number; fields: readonly string[] }): void;
}): Redactor {
  const { store, writer, identity, onErased } = parts;
  return {
    redact: async (request, user) => {
      const { dryRun } = request;
      const fields = [...new Set(request.fields)].toSorted();
      let changed: number[] = [];
      const outcome = await store.transact<AppendOutcome>(async ({ find, erase, log }) => {
        const found = await find(request, recordsAtMost + 1);
        if (found.length > recordsAtMost) refuseMany();
        changed = await erase(found, fields);
        if (dryRun || changed.length === 0) return undefined;
        return writer.append(log, redactionEvents(changed, { ...identity, user, fields, reason: request.reason }));
      });
      outcome?.remember();
      if (outcome) onErased({ user, records: changed.length, fields });
      return { records: changed.length, dryRun };
    },
  };
}

/** The records of a redaction: `entityName` has the fields, `entityId` the numbers of the records. */
export function redactionEvents(
  numbers: readonly number[],
  redaction: WriterIdentity & { user: string; fields: readonly string[]; reason: string },
): IdentifiedEvent[] {
  const { managerName, nodeId, user, fields, reason } = redaction;
  const events: IdentifiedEvent[] = [];
  for (let first = 0; first < numbers.length; first += numbersAtMost) {
    const part = numbers.slice(first, first + numbersAtMost);
    const payload = composeAuditEvent('auditRecordRedacted', {
      user,
      managerName,
      nodeId,
      entityType: 'Audit records',
      entityName: fields.join(','),
      entityId: writeRanges(part),
      names: { count: String(part.length), reason },
    });
    events.push({ id: uuidV7(), payload: { ...payload, context: { ...currentClient(), reason } } });
  }
  return events;
}

function refuseMany(): never {
  const message = `matches more than ${recordsAtMost} records: narrow it, for example by time`;
  throw new CodedError('validation_failed', { detail: `q: ${message}`, fields: [{ field: 'q', message }] });
}
