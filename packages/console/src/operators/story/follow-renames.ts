import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import { newPathOf } from '@waybill/contracts/messages/new-path-of';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import { type JsonObject, membersOf } from '../audit/proof/canonical-json.ts';
import type { RecordSource } from './record-source.ts';

/** Where a file is after renames. */
export interface Renames {
  /** Its last path; undefined without a rename. */
  readonly newPath: string | undefined;
  /** The records of renames of folders above it, which have no dataflow instance, the oldest first. */
  readonly folders: readonly JsonObject[];
}

/** Renames of folders since an upload that are read at most, for each file. */
const pagesAtMost = 5;

const { fileDeleted, fileExpired, folderRenamed } = auditCatalogue;
const ends: ReadonlySet<string> = new Set([fileDeleted.code, fileExpired.code]);

/**
 * Follows the renames of a file and of folders above it. A rename of a folder is one record, whatever is in it. `records`: those of the
 * dataflow instance from the upload on, the oldest first. @throws RequestFailure
 */
export async function followRenames(
  source: RecordSource,
  records: readonly JsonObject[],
  signal: AbortSignal,
): Promise<Renames> {
  const [upload] = records;
  const folders = upload === undefined ? [] : await renamesOfFolders(source, upload, signal);
  const steps = [...records.map(stepOf), ...folders].toSorted((one, other) =>
    one.auditTime.localeCompare(other.auditTime),
  );
  const first = upload && stepOf(upload).entityName;
  const ids: string[] = [];
  let path = first ?? '';
  for (const step of steps) {
    const { auditCode, entityName, id } = step;
    if (ends.has(auditCode) && entityName === path) break;
    const newPath = newPathOf(step);
    if (newPath === undefined) continue;
    if (entityName === path) path = newPath;
    else if (auditCode === folderRenamed.code && path.startsWith(`${entityName}/`)) {
      path = newPath + path.slice(entityName.length);
      ids.push(id);
    }
  }
  const found = await Promise.all(ids.map((id) => source.read({ id }, signal)));
  return { newPath: path === first ? undefined : path, folders: found.flatMap((one) => one.records) };
}

type Step = Pick<AuditRecord, 'id' | 'auditCode' | 'auditTime' | 'entityName' | 'entityId' | 'auditMessage'>;

/** The renames of folders in the virtual file system of an upload since then; none if that is not known. */
async function renamesOfFolders(
  source: RecordSource,
  upload: JsonObject,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const virtualFileSystem = membersOf(upload['context']).find(([name]) => name === 'virtualFileSystem')?.[1];
  if (typeof virtualFileSystem !== 'string') return [];
  const { code: auditCode } = folderRenamed;
  const filters = { auditCode, virtualFileSystem, fromAuditTime: textIn(upload, 'auditTime') };
  const found: Step[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesAtMost; page += 1) {
    const { rows, next } = await source.list(filters, { limit: 1_000, sort: '+auditTime', cursor, signal });
    found.push(...rows);
    if (next === undefined) break;
    cursor = next;
  }
  return found;
}

function stepOf(record: JsonObject): Step {
  return {
    id: textIn(record, 'id'),
    auditCode: textIn(record, 'auditCode'),
    auditTime: textIn(record, 'auditTime'),
    entityName: textIn(record, 'entityName'),
    entityId: textIn(record, 'entityId'),
    auditMessage: textIn(record, 'auditMessage'),
  };
}

/** A text of a record; empty if there is none. */
export function textIn(record: JsonObject, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}
