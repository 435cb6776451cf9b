import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { FileEntry, FolderEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';

type FactAboutEntry =
  | 'fileUploaded'
  | 'fileDownloaded'
  | 'fileDeleted'
  | 'fileRenamed'
  | 'metadataChanged'
  | 'folderCreated'
  | 'folderDeleted'
  | 'folderRenamed';

/** What was done to an entry, and by whom. `entry` is its state before a rename, and `newPath` its new place. */
export interface AuditedChange {
  fact: FactAboutEntry;
  entry: Pick<FolderEntry, 'kind' | 'id' | 'path'> | Pick<FileEntry, 'kind' | 'id' | 'path' | 'dfic'>;
  /** What was transferred, all of it. */
  content?: Pick<FileEntry, 'size' | 'sha256'>;
  newPath?: VirtualPath;
  /** The changed keys of metadata. */
  keys?: string;
  origin: Origin;
  managerName: string;
}

/** The message that audits a change. */
export function auditMessage(change: AuditedChange): OutboxMessage {
  const { fact, entry, content, newPath, keys = '', origin, managerName } = change;
  const { path, id } = entry;
  return {
    topic: 'audit-event',
    payload: composeAuditEvent(fact, {
      user: origin.userName,
      nodeId: origin.peerName,
      managerName,
      entityType: entry.kind === 'file' ? 'File' : 'Folder',
      entityName: path,
      entityId: id,
      dfiid: entry.kind === 'file' ? entry.dfic.dfiid : origin.dfic?.dfiid,
      context: { ...contextOf(origin), ...(content && { fileSize: content.size, fileHash: content.sha256 }) },
      names: { path, fileset: id, newPath: newPath ?? path, newFileset: id, keys },
    }),
  };
}

/** The circumstances of a change by this origin. */
export function contextOf({ client, vfsName, sessionId }: Origin): AuditContext {
  return {
    ...client,
    ...(vfsName !== undefined && { virtualFileSystem: vfsName }),
    ...(sessionId !== undefined && { session: sessionId }),
  };
}
