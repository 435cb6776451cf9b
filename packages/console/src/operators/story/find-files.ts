import { listActivityEndpoint } from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { newPathOf } from '@waybill/contracts/messages/new-path-of';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { Filters } from '../address/use-filters.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { callForResponse } from '../api/call-for-response.ts';
import { expressionOf } from '../audit/search/audit-filters.ts';
import type { CursorPage } from '../lists/use-cursor-rows.ts';
import { isByJob } from './operation-words.ts';

/** What files can be found by, by their names in the address of the page. */
export const fileFilterNames = ['name', 'actor', 'vfs', 'path', 'user', 'fileset', 'dfiid', 'hash', 'job'] as const;

/** The name of a filter. */
export type FileFilterName = (typeof fileFilterNames)[number];

/** The filters that are set. */
export type FileFilters = Filters<FileFilterName>;

/** A file that was found, as its newest record that matches has it: what a job has made of it is another one of its dataflow instance. */
export interface FoundFile {
  readonly dfiid: string;
  readonly path: string;
  readonly user: string;
  readonly operation: string;
  readonly time: string;
  /** Whether a job has written or read it; absent if that is not known: the audit log has circumstances on demand only. */
  readonly isByJob?: boolean;
  /** The partner and the virtual file system, as far as they are known and the user may see activity. */
  readonly actor?: string | undefined;
  readonly vfs?: string | undefined;
  /** Its path after the rename, if the record is that of one, or after a rename of a folder above it, by which it was found. */
  readonly newPath?: string | undefined;
}

/** Where files are found: activity has their partners and virtual file systems, the audit log has not. */
export type FileSource = 'activity' | 'log';

/** Files of one page. */
export const filePageSize = 100;

/** Reads a page of the files that match, those with the newest records first. @throws RequestFailure */
export async function findFiles(
  source: FileSource,
  filters: FileFilters,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<CursorPage<FoundFile>> {
  const dfiid = await dfiidOf(filters, signal);
  if (dfiid === null) return { rows: [], next: undefined };
  const { name, vfs, path, user, fileset, hash, actor } = filters;
  const q = expressionOf({
    fileName: name,
    virtualFileSystem: vfs,
    filePath: path,
    dataoneUser: user,
    entityId: fileset,
    fileHash: hash,
    dfiid,
  });
  const query = { page: '0', limit: String(filePageSize), sort: '-auditTime', files: 'true', q, cursor } as const;
  if (source === 'log') {
    const { body, headers } = await callForResponse(listAuditRecordsEndpoint, { query, signal });
    return { rows: body.flatMap((record) => fileOf(record, path)), next: headers.get('x-next-cursor') ?? undefined };
  }
  const { body, headers } = await callForResponse(listActivityEndpoint, { query: { ...query, actor }, signal });
  const rows = body.flatMap((record) =>
    fileOf(record, path).map((file) => {
      const { virtualFileSystem } = record.context;
      return {
        ...file,
        isByJob: isByJob(record.auditOperation, record.context['session']),
        actor: record.actor ?? undefined,
        vfs: typeof virtualFileSystem === 'string' ? virtualFileSystem : undefined,
      };
    }),
  );
  return { rows, next: headers.get('x-next-cursor') ?? undefined };
}

/** The dataflow instance that is asked for, by itself or by a job of it; null if these two differ. */
async function dfiidOf({ dfiid, job }: FileFilters, signal: AbortSignal): Promise<string | undefined | null> {
  if (job === undefined) return dfiid;
  const { dfic } = await callEndpoint(findJobEndpoint, { params: { id: job }, query: { history: 'none' }, signal });
  return dfiid === undefined || dfiid === dfic.dfiid ? dfic.dfiid : null;
}

/** `sought`: the path by which files are sought. A file that is found by it, but was never there, came there with a folder. */
function fileOf(record: AuditRecord, sought: string | undefined): FoundFile[] {
  const { dfiid, entityName, dataoneUser, auditOperation, auditTime } = record;
  if (dfiid === null) return [];
  const paths = [entityName, newPathOf(record)];
  const isByFolder = sought !== undefined && !sought.endsWith('*') && !paths.includes(sought.normalize('NFC'));
  const newPath = isByFolder ? sought : newPathOf(record);
  return [{ dfiid, path: entityName, user: dataoneUser, operation: auditOperation, time: auditTime, newPath }];
}
