import { appendWithChange, prepareChange } from '@waybill/outbox/append-with-change';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { Database } from '@waybill/postgres/database';
import type { TemporaryNames } from '../entries/temporary-names.ts';
import { repeatWhenHindered } from '../entries/transact.ts';
import { auditMessage } from '../messages/audit-message.ts';
import { fileEventMessage } from '../messages/file-event-message.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';

/** A version of a file that was downloaded. */
export interface TakenFile {
  readonly entry: FileEntry;
  readonly origin: Origin;
}

/** Records downloads: read dates, audit record and event, in one transaction. */
export interface DownloadRecorder {
  /** Resolves when it is on disk. */
  record(taken: TakenFile): Promise<void>;
}

interface RecorderPorts {
  readonly db: Database;
  readonly managerName: string;
  /** The download of a file with a temporary name starts no contract. */
  readonly isTemporaryName: TemporaryNames;
}

interface Waiting extends TakenFile {
  resolve(): void;
  reject(error: unknown): void;
}

const together = 100;
const patienceMs = 50;

/**
 * Downloads that end while others are being recorded are recorded together, by the next statement: they share the cost
 * of a commit. Those of different VFS are never combined, and a statement that waits, for example for the deletion of a
 * large tree, delays only the downloads in it.
 */
export function createDownloadRecorder(ports: RecorderPorts): DownloadRecorder {
  const queues = new Map<string, Waiting[]>();

  const next = (vfsId: string, queue: Waiting[]): void => {
    if (queue.length === 0) {
      queues.delete(vfsId);
      return;
    }
    const batch = queue.splice(0, together);
    let isFirst = true;
    const goOn = (): void => {
      if (isFirst) next(vfsId, queue);
      isFirst = false;
    };
    const patience = setTimeout(goOn, patienceMs);
    void settle(ports, batch).then(() => {
      clearTimeout(patience);
      goOn();
    });
  };

  return {
    record: (taken) =>
      new Promise((resolve, reject) => {
        const { vfsId } = taken.entry;
        const waiting = { ...taken, resolve, reject };
        const queue = queues.get(vfsId);
        if (queue) {
          queue.push(waiting);
        } else {
          const begun = [waiting];
          queues.set(vfsId, begun);
          // Pending work of this turn runs first, and downloads that end in it are included.
          setImmediate(() => next(vfsId, begun));
        }
      }),
  };
}

/** Settles each download. A failure to record one does not prevent the others. */
async function settle(ports: RecorderPorts, batch: readonly Waiting[]): Promise<void> {
  try {
    await write(ports, batch);
    for (const { resolve } of batch) resolve();
  } catch (error) {
    if (batch.length > 1) await Promise.all(batch.map((waiting) => settle(ports, [waiting])));
    else for (const { reject } of batch) reject(error);
  }
}

async function write({ db, managerName, isTemporaryName }: RecorderPorts, batch: readonly TakenFile[]): Promise<void> {
  const messages = batch.flatMap(({ entry, origin }): OutboxMessage[] => [
    auditMessage({ fact: 'fileDownloaded', entry, content: entry, origin, managerName }),
    ...(isTemporaryName(entry.path) ? [] : [fileEventMessage('downloaded', entry, origin)]),
  ]);
  const filesets = batch.map(({ entry }) => entry.fileset);
  const [fileset] = filesets;
  const change =
    batch.length === 1 && fileset !== undefined
      ? { statement: markRead, bindings: { fileset } }
      : { statement: markAllRead, bindings: { filesets } };
  await repeatWhenHindered(() => appendWithChange(db, change, messages));
}

const readNow = 'UPDATE filebox.entries SET first_read_at = COALESCE(first_read_at, now()), last_read_at = now()';

/** Marks nothing if the version that was read no longer exists. */
const markRead = prepareChange('filebox record read', `${readNow} WHERE id = CAST(:fileset AS bigint)`);

/** PostgreSQL visits the ids in order, so that rows are locked in that order. */
const markAllRead = prepareChange('filebox record reads', `${readNow} WHERE id = ANY (CAST(:filesets AS bigint[]))`);
