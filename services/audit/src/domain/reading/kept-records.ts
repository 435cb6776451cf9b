import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { StoredRecord } from '../records/log-record.ts';
import type { ArchivedStart } from '../retention/archive-lines.ts';

/** The records that an export reads, perhaps with a filter. */
export interface KeptLog {
  /** What was archived; `undefined` if nothing was. */
  readStart(): Promise<ArchivedStart | undefined>;
  readRecords(range: {
    readonly first: number;
    readonly last: number;
    readonly filter?: AuditFilter | undefined;
  }): AsyncIterable<readonly StoredRecord[]>;
}

/**
 * The records up to `last` that match a filter, in batches, without those that were archived before. A filter leaves gaps, so that a
 * record which is archived before it is read would not be missed.
 * @throws CodedError `service_unavailable` if one may have been
 */
export async function* keptRecords(
  log: KeptLog,
  { last, filter }: { readonly last: number; readonly filter?: AuditFilter | undefined },
): AsyncGenerator<readonly StoredRecord[], undefined> {
  // All records up to this number were read, or archived before.
  let position = (await log.readStart())?.range.size ?? 0;
  const refuseIfArchived = async (): Promise<void> => {
    if (((await log.readStart())?.range.size ?? 0) > position) throw archivedMeanwhile();
  };
  for await (const records of log.readRecords({ first: position + 1, last, filter })) {
    await refuseIfArchived();
    yield records;
    position = records.at(-1)?.sequence ?? position;
  }
  await refuseIfArchived();
}

/** The reason why an export ends before its end. */
export function archivedMeanwhile(): CodedError {
  return new CodedError('service_unavailable', {
    detail: 'Records were archived while they were being exported: request the export again',
  });
}
