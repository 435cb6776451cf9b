import { CodedError } from '@waybill/contracts/coded-error';
import { nameOf, rootPath, type VirtualPath } from '@waybill/contracts/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import { auditMessage } from './audit-message.ts';
import type { BlobRemover } from './blob-remover.ts';
import { originalNames } from './dataflow-of-upload.ts';
import { entryOf, fileOf, type EntryRow, type FileRow } from './entry-row.ts';
import type { Entry, FileEntry } from './entry.ts';
import { fileEventMessage } from './file-event-message.ts';
import { lockPlaces } from './lock-places.ts';
import type { Origin } from './origin.ts';
import { transact } from './transact.ts';

/** What renaming works with. */
export interface RenameParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
}

/** What is to be called how, or to go where. */
export interface RenameRequest {
  vfsId: string;
  from: VirtualPath;
  to: VirtualPath;
  overwrite: boolean;
  /** The new name is not the last one. */
  temporaryName: boolean;
  origin: Origin;
  /** Looks at what is to be moved while nobody else can change it; what it throws leaves all as it was. */
  check?: ((entry: Entry) => void) | undefined;
}

/** Renames or moves an entry: a change of its row, whatever is in it. Throws what `Filebox.rename` says. */
export async function renameEntry(parts: RenameParts, request: RenameRequest): Promise<Entry> {
  const { db, remover, managerName } = parts;
  const { from, to, origin } = request;
  refuseRoots(request);
  const { entry, replacedBlobId } = await transact(db, async (trx) => {
    const { source, target, targetFolderId } = await lockPlaces(trx, request);
    request.check?.(entryOf(source, from));
    if (from === to) return { entry: entryOf(source, to), replacedBlobId: undefined };
    const replacedBlobId = await makeRoom(trx, request, { source, target });
    const moved = await moveRow(trx, source.id, { folderId: targetFolderId, name: nameOf(to) });
    const announced = await announce(trx, source, request);
    const fact = source.kind === 'file' ? 'fileRenamed' : 'folderRenamed';
    const audit = auditMessage({ fact, entry: entryOf(source, from), newPath: to, origin, managerName });
    await appendToOutbox(trx, [audit, ...(announced ? [fileEventMessage('stored', announced, origin)] : [])]);
    return { entry: announced ?? entryOf(moved ?? source, to), replacedBlobId };
  });
  if (replacedBlobId !== undefined) remover.removeSoon(replacedBlobId);
  return entry;
}

function refuseRoots({ from, to }: RenameRequest): void {
  if (from !== rootPath && to !== rootPath) return;
  const names = { path: from, file: nameOf(from) };
  throw new CodedError('operation_unsupported', { detail: 'The root cannot be renamed or replaced', names });
}

/** Takes away the file that stands where a file is to go, and answers its blob. */
async function makeRoom(
  trx: Transaction,
  { to, overwrite }: RenameRequest,
  { source, target }: { source: EntryRow; target: EntryRow | undefined },
): Promise<string | undefined> {
  if (!target) return undefined;
  if (!overwrite || source.kind !== 'file' || target.kind !== 'file') {
    throw new CodedError('already_exists', { names: { path: to, file: nameOf(to) } });
  }
  await trx.raw('DELETE FROM filebox.entries WHERE id = ?', [target.id]);
  return target.blob_id;
}

async function moveRow(
  trx: Transaction,
  id: string,
  to: { folderId: string; name: string },
): Promise<EntryRow | undefined> {
  const { rows } = await trx.raw<{ rows: EntryRow[] }>(
    'UPDATE filebox.entries SET parent_id = ?, name = ? WHERE id = ? RETURNING *',
    [to.folderId, to.name, id],
  );
  return rows[0];
}

/** A file that has had temporary names so far: its dataflow begins with the name that it has now. */
async function announce(
  trx: Transaction,
  source: EntryRow,
  { to, temporaryName }: RenameRequest,
): Promise<FileEntry | undefined> {
  if (source.kind !== 'file' || !source.unannounced || temporaryName) return undefined;
  const { rows } = await trx.raw<{ rows: FileRow[] }>(
    'UPDATE filebox.entries SET unannounced = false, dfic = CAST(? AS jsonb) WHERE id = ? RETURNING *',
    [JSON.stringify({ ...source.dfic, ...originalNames(to) }), source.id],
  );
  return rows[0] && fileOf(rows[0], to);
}
