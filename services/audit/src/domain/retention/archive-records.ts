import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { WriterIdentity } from '../log/log-events.ts';
import type { AppendOutcome, LogWriter } from '../log/log-writer.ts';
import type { RecordLog } from '../log/record-log.ts';
import type { NumberRange } from '../redaction/number-ranges.ts';

/** A verified archive file. */
export interface ArchiveFile {
  readonly name: string;
  /** The SHA-256 of its content, hexadecimal. */
  readonly hash: string;
}

/** The records that may be archived. */
export interface DueRecords extends NumberRange {
  readonly lastId: string;
  readonly lastChainHash: string | null;
  /** Changes when a value of the records is erased. */
  readonly erased: string;
}

/** Old records, and where they go. */
export interface ArchiveStore {
  /** The oldest stored records up to a moment, at most `limit`, without those on hold and those after them. */
  findDue(until: Date, limit: number): Promise<DueRecords | undefined>;
  /** Writes a file durably, reads it again and verifies it. @throws Error if it is not what the log has */
  write(range: NumberRange): Promise<ArchiveFile>;
  remove(file: ArchiveFile): Promise<void>;
  /** Deletes the records of a file in the transaction in which `use` records it. @throws Error if they have changed */
  drop(due: DueRecords, file: ArchiveFile, use: (log: RecordLog) => Promise<AppendOutcome>): Promise<AppendOutcome>;
}

/** Records of one archive file: whole tiles. */
const recordsAtMost = 400 * 256;

/**
 * Moves all records up to a moment into archive files. The file is verified before anything is deleted; hashes, nodes and
 * checkpoints remain. Returns the number of archived records.
 */
export async function archiveRecords(
  { store, writer, identity }: { store: ArchiveStore; writer: LogWriter; identity: WriterIdentity },
  { until, signal, days }: { until: Date; signal: AbortSignal; days: number },
): Promise<number> {
  let archived = 0;
  while (!signal.aborted) {
    const due = await store.findDue(until, recordsAtMost);
    if (!due) break;
    const file = await store.write(due);
    const { first, last } = due;
    const payload = composeAuditEvent('auditRecordsRemoved', {
      user: '',
      ...identity,
      entityType: 'Audit archive',
      entityName: file.hash,
      entityId: `${first}-${last}`,
      names: { file: file.name, days: String(days) },
    });
    try {
      const outcome = await store.drop(due, file, (log) => writer.append(log, [{ id: uuidV7(), payload }]));
      outcome.remember();
    } catch (error) {
      await store.remove(file);
      // Another process has archived them in the meantime: each has its own file.
      if ((await store.findDue(until, recordsAtMost))?.first === first) throw error;
      continue;
    }
    archived += last - first + 1;
  }
  return archived;
}
