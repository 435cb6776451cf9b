import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import {
  isWithin,
  nameOf,
  parentOf,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';
import { appendMessages } from '@waybill/outbox/append-messages';
import { appendMessagesSql, type AppendedMessage, type OutboxMessage } from '@waybill/outbox/message-rows';
import type { Database, Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { BlobRemover } from '../blobs/blob-remover.ts';
import { auditMessage } from '../messages/audit-message.ts';
import { originalNames } from '../messages/dataflow-of-upload.ts';
import { fileEventMessage } from '../messages/file-event-message.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import type { Entry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import { entryOf, fileOf, type EntryRow } from './entry-row.ts';
import { StaleSnapshotError } from './index-error.ts';
import { readPlaces, type Place } from './read-places.ts';
import type { TemporaryNames } from './temporary-names.ts';
import { repeatWhenHindered, transact } from './transact.ts';
import { writeCompanion } from './write-companion.ts';

/** What a rename needs. */
export interface RenameParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
  /** A file that gets another temporary name is not announced. */
  isTemporaryName: TemporaryNames;
}

/** What a rename finds at its ends. An open file that was never committed has the kind `upload`. */
export interface RenameEnds {
  source: 'file' | 'folder' | 'upload';
  target: 'file' | 'folder' | 'upload' | undefined;
}

/** Options of a rename. */
export interface RenameOptions {
  origin: Origin;
  /** Whether a file may replace a file. Otherwise the new name must be free. */
  overwrite: boolean;
  /**
   * For a session that sees its user's uncommitted uploads: the blob ids of those that it has open at either path. They
   * are renamed and replaced like committed files.
   */
  open?: readonly string[];
  /**
   * Decides by what is at both ends; called again if that has changed. An error that it throws leaves everything
   * unchanged.
   */
  authorize?: ((ends: RenameEnds) => void) | undefined;
  /** Called with the entry to rename. An error that it throws leaves everything unchanged. */
  check?: ((entry: Entry) => void) | undefined;
  /** Written in the transaction that renames a committed entry. */
  companion?: CompanionWrite | undefined;
}

/** The result of a rename. */
export interface Renamed {
  /** Its new state; undefined for an upload that was never committed. */
  entry: Entry | undefined;
  /** The open uploads that now have the new path. */
  moved: readonly string[];
  /** The open uploads that were replaced: they can no longer be committed. */
  removed: readonly string[];
}

interface RenameRequest extends RenameOptions {
  vfsId: string;
  from: VirtualPath;
  to: VirtualPath;
}

/** Renames or moves an entry: a change of its row, whatever it contains. Throws as `Filebox.rename` does. */
export async function renameEntry(parts: RenameParts, request: RenameRequest): Promise<Renamed> {
  const { from, to } = request;
  if (from === rootPath || to === rootPath) {
    const names = { path: from, file: nameOf(from) };
    throw new CodedError('operation_unsupported', { detail: 'The root cannot be renamed or replaced', names });
  }
  const { db, remover } = parts;
  const { companion } = request;
  const { renamed, unused } =
    companion === undefined
      ? await repeatWhenHindered(() => tryToRename(db, parts, request))
      : await transact(db, async (trx) => {
          const done = await tryToRename(trx, parts, request);
          if (done.renamed.entry) await writeCompanion(trx, companion, done.renamed.entry);
          return done;
        });
  for (const blobId of unused) remover.removeSoon(blobId);
  return renamed;
}

/** `unused`: blobs that nothing refers to after the commit. */
async function tryToRename(
  db: Queryable,
  parts: RenameParts,
  request: RenameRequest,
): Promise<{ renamed: Renamed; unused: readonly string[] }> {
  const { vfsId, from, to, origin, open = [], authorize, check } = request;
  const places = await readPlaces(db, { vfsId, from, to, userName: origin.userName, open });
  const { source, target, folders } = requireEnds(places, request);
  const { entry } = source;
  authorize?.({ source: source.kind, target: kindOf(target) });
  if (entry) check?.(entryOf(entry, from));
  if (from === to) return { renamed: { entry: entry && entryOf(entry, to), moved: [], removed: [] }, unused: [] };
  refuseReplacement(source, target, request);
  const announced = announcedBy(parts, entry, request);
  const bindings = bindingsOf(request, { source, target, newDfic: announced?.dfic });
  const messages = messagesOf(parts, request, { source: entry, announced });
  const outcome = await appendMessages(db, messages, async (given) => {
    const [row] = await runPrepared<Outcome>(db, renameStatement, { ...bindings, ...folders, ...given });
    return { result: row, appended: row?.told ?? [] };
  });
  if (outcome?.renamed !== true) throw new StaleSnapshotError('the entry at a path changed after it was read');
  const { moved, removed, given_up: discarded } = outcome;
  const replaced = target.entry?.kind === 'file' && entry ? [target.entry.blob_id] : [];
  const renamed = { entry: announced ?? (entry && renamedEntry(entry, folders.targetFolder, to)), moved, removed };
  return { renamed, unused: [...discarded, ...replaced] };
}

function bindingsOf(
  { vfsId, from, to, origin, open = [], check }: RenameRequest,
  { source, target, newDfic }: { source: Place; target: Place; newDfic: DataflowContext | undefined },
) {
  return {
    vfsId,
    sourceParents: segmentsOf(parentOf(from)),
    sourceName: nameOf(from),
    targetParents: segmentsOf(parentOf(to)),
    targetName: nameOf(to),
    sourceId: source.entry?.id ?? null,
    // The checked version must be the one that is renamed.
    sourceVersion: check === undefined ? null : (source.version ?? null),
    targetId: target.entry?.id ?? null,
    owner: origin.userName,
    open,
    newDfic: newDfic === undefined ? null : JSON.stringify(newDfic),
  };
}

interface Outcome {
  renamed: boolean;
  moved: string[];
  removed: string[];
  given_up: string[];
  told: AppendedMessage[] | null;
}

/** `docs/database-functions.md` names the migration with the body of `rename_entry`. */
const renameStatement = prepareStatement(
  'filebox rename entry',
  `WITH done AS MATERIALIZED (
     SELECT * FROM filebox.rename_entry(:vfsId, CAST(:sourceParents AS text[]), CAST(:sourceName AS text),
       CAST(:targetParents AS text[]), CAST(:targetName AS text), CAST(:sourceFolder AS bigint),
       CAST(:targetFolder AS bigint), CAST(:sourceId AS bigint), CAST(:sourceVersion AS text),
       CAST(:targetId AS bigint), CAST(:owner AS text), CAST(:open AS uuid[]), CAST(:newDfic AS jsonb))
   ), told AS (
     ${appendMessagesSql} WHERE (SELECT renamed FROM done) RETURNING topic
   )
   SELECT renamed, moved, removed, given_up, (SELECT json_agg(told) FROM told) AS told FROM done`,
);

/** @throws CodedError `path_not_found` (either folder), `file_not_found`, `upload_in_progress`, `path_invalid` */
function requireEnds({ source, target }: { source: Place; target: Place }, { from, to }: RenameRequest) {
  const names = { path: from, file: nameOf(from) };
  if (source.folderId === undefined)
    throw new CodedError('path_not_found', { names: { ...names, path: parentOf(from) } });
  const kind = kindOf(source);
  if (kind === undefined) {
    if (!source.hasOtherUpload) throw new CodedError('file_not_found', { names });
    throw new CodedError('upload_in_progress', {
      detail: `'${nameOf(from)}' is an upload that is not finished: go on with it, or delete it`,
    });
  }
  if (kind === 'folder' && from !== to && isWithin(to, from)) {
    throw new CodedError('path_invalid', { detail: 'A folder cannot be moved into itself', names });
  }
  if (target.folderId === undefined || target.folderKind !== 'folder') {
    throw new CodedError('path_not_found', { names: { path: parentOf(to), file: nameOf(to) } });
  }
  const folders = { sourceFolder: source.folderId, targetFolder: target.folderId };
  return { source: { ...source, kind }, target, folders };
}

/** @throws CodedError `already_exists` */
function refuseReplacement(
  source: { kind: RenameEnds['source'] },
  target: Place,
  { overwrite, to, open }: RenameRequest,
): void {
  // Uploads are visible over SFTP only.
  const kind = kindOf(target) ?? (target.hasOtherUpload && open !== undefined ? 'upload' : undefined);
  if (kind === undefined || (overwrite && source.kind !== 'folder' && kind !== 'folder')) return;
  throw new CodedError('already_exists', { names: { path: to, file: nameOf(to) } });
}

function kindOf({ entry, hasOpenUpload }: Place): RenameEnds['target'] {
  return entry?.kind ?? (hasOpenUpload ? 'upload' : undefined);
}

/** The file in its announcement, if all its names so far were temporary: its dataflow begins with its present name. */
function announcedBy({ isTemporaryName }: RenameParts, source: EntryRow | undefined, { to }: RenameRequest) {
  if (source?.kind !== 'file' || !source.unannounced || isTemporaryName(to)) return undefined;
  return fileOf({ ...source, name: nameOf(to), dfic: { ...source.dfic, ...originalNames(to) } }, to);
}

function messagesOf(
  { managerName }: RenameParts,
  { from, to, origin }: RenameRequest,
  { source, announced }: { source: EntryRow | undefined; announced: ReturnType<typeof announcedBy> },
): OutboxMessage[] {
  // A file that was never committed is audited at its commit, with the name that it has then.
  if (!source) return [];
  const fact = source.kind === 'file' ? 'fileRenamed' : 'folderRenamed';
  const audit = auditMessage({ fact, entry: entryOf(source, from), newPath: to, origin, managerName });
  return [audit, ...(announced ? [fileEventMessage('stored', announced, origin)] : [])];
}

function renamedEntry(source: EntryRow, folderId: string, to: VirtualPath): Entry {
  return entryOf({ ...source, parent_id: folderId, name: nameOf(to) }, to);
}
