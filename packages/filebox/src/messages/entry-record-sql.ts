import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { withCurrentClient } from '@waybill/outbox/append-messages';
import { appendSelectedSql } from '@waybill/outbox/append-selected-sql';
import type { Origin } from '../model/origin.ts';
import { contextOf } from './audit-message.ts';

/** The actor of a change in the audit log. */
export interface Deleter {
  origin: Origin;
  managerName: string;
}

/**
 * Audits, as part of the statement that changes them, the entries that a query returns as `id`, `path` and `dfiid`, in
 * its order. It takes the bindings of `recordBindings` and of `appendSelected`.
 */
export function entryRecordSql(goneSql: string): string {
  // The id first: it contains no braces, a path may.
  return appendSelectedSql(
    `SELECT CAST(:record AS jsonb) || jsonb_build_object(
         'entityName', path, 'entityId', CAST(id AS text), 'dfiid', dfiid,
         'auditMessage', replace(replace(:recordText, '{fileset}', CAST(id AS text)), '{path}', path)
       ) AS payload
     FROM (${goneSql}) AS gone`,
  );
}

/** What the audit records of one statement have in common. */
export function recordBindings(
  fact: 'fileDeleted' | 'folderDeleted' | 'folderCreated',
  { origin, managerName }: Deleter,
) {
  const record = composeAuditEvent(fact, {
    user: origin.userName,
    nodeId: origin.peerName,
    managerName,
    entityType: fact === 'fileDeleted' ? 'File' : 'Folder',
    entityName: '',
    entityId: '',
    context: contextOf(origin),
  });
  return { record: JSON.stringify(withCurrentClient(record)), recordText: record.auditMessage };
}
