import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';

const { fileRenamed, folderRenamed } = auditCatalogue;

/** A value that renames have besides that of a column. */
export interface RenamedColumn {
  readonly sql: string;
  /** The records that have one, in the words of the index. */
  readonly records: string;
}

/** That a record is the rename of a file, in the words of the indexes. */
export const isFileRenamed = `audit_code = '${fileRenamed.code}'`;

/** The fields that find a record of a rename by what was before it, and by what is after it. */
export const renamedColumns = {
  fileName: { sql: `split_part(${newPathSql()}, '/', -1)`, records: isFileRenamed },
  filePath: { sql: newPathSql(), records: `audit_code IN ('${fileRenamed.code}', '${folderRenamed.code}')` },
} as const satisfies Record<string, RenamedColumn>;

/** SQL for the path after a rename; null for other records, and if it was erased. `of` names the records. */
export function newPathSql(of?: string): string {
  const columns = ['audit_code', 'entity_name', 'entity_id', 'audit_message'];
  const names = columns.map((column) => (of === undefined ? column : `${of}.${column}`));
  return `audit.new_path_of(${names.join(', ')}) COLLATE "C"`;
}
