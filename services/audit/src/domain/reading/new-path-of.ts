import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';

type RenameRecord = Pick<AuditRecord, 'auditCode' | 'entityName' | 'entityId' | 'auditMessage'>;

const { code, text } = auditCatalogue.fileRenamed;
const [before = '', after = ''] = text.split('{newPath}');
const [end = ''] = after.split('{newFileset}');

/** Where a rename has put the file of its record, as its message has it; undefined for other records, and if it was erased. */
export function newPathOf({ auditCode, entityName, entityId, auditMessage }: RenameRecord): string | undefined {
  if (auditCode !== code) return undefined;
  const begin = before.replace('{path}', () => entityName).replace('{fileset}', () => entityId);
  if (!auditMessage.startsWith(begin)) return undefined;
  // A name may contain these words, too.
  const at = auditMessage.lastIndexOf(end);
  return at < begin.length ? undefined : auditMessage.slice(begin.length, at);
}
