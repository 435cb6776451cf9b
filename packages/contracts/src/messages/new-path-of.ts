import type { AuditRecord } from '../values/audit-record.ts';
import { auditCatalogue } from './audit-catalogue.ts';

type RenameRecord = Pick<AuditRecord, 'auditCode' | 'entityName' | 'entityId' | 'auditMessage'>;

const { fileRenamed, folderRenamed } = auditCatalogue;

/**
 * Where a rename has put the file or folder of its record, as its message has it; undefined for other records, and if it was erased.
 * `audit.new_path_of` of the audit log's database is the same in SQL.
 */
export function newPathOf({ auditCode, entityName, entityId, auditMessage }: RenameRecord): string | undefined {
  const renamed = [fileRenamed, folderRenamed].find(({ code }) => code === auditCode);
  if (!renamed) return undefined;
  const [before = '', after = ''] = renamed.text.split('{newPath}');
  const begin = before.replace('{path}', () => entityName).replace('{fileset}', () => entityId);
  if (!auditMessage.startsWith(begin)) return undefined;
  const [end = ''] = after.split('{newFileset}');
  // A name may contain these words, too.
  const at = auditMessage.lastIndexOf(end);
  return at < begin.length ? undefined : auditMessage.slice(begin.length, at);
}
