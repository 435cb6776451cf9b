import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { callEndpoint } from '../api/call-endpoint.ts';
import { listActivityOf, type RecordPage, type RecordSource } from './record-source.ts';

/** What files can be found by. */
export const searchKinds = ['path', 'partner', 'user', 'fileset', 'dfiid', 'hash', 'job'] as const;

/** What a file is found by. */
export type SearchKind = (typeof searchKinds)[number];

/** A file that was found, as its newest record has it. */
export interface FoundFile {
  readonly dfiid: string;
  readonly path: string;
  readonly user: string;
  readonly time: string;
}

/** Records that are read at once. */
const recordsAtMost = 500;

/** What files are searched by. */
export interface FileSearch {
  readonly kind: SearchKind;
  readonly text: string;
}

/** The newest records that match, from a cursor on. @throws RequestFailure */
export async function findRecords(
  source: RecordSource,
  { kind, text }: FileSearch,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<RecordPage> {
  const page = { limit: recordsAtMost, cursor, signal };
  return kind === 'partner' ? listActivityOf(text, page) : source.list(await filtersOf({ kind, text }, signal), page);
}

/** The files of records, which are in order, the newest first. */
export function filesOf(pages: readonly RecordPage[]): FoundFile[] {
  const files = new Map<string, FoundFile>();
  for (const { dfiid, entityName, dataoneUser, auditTime } of pages.flatMap(({ rows }) => rows)) {
    if (dfiid !== null && !files.has(dfiid))
      files.set(dfiid, { dfiid, path: entityName, user: dataoneUser, time: auditTime });
  }
  return [...files.values()];
}

/** The filter of the audit log for each of them but the job and the partner. */
const filterOf = {
  path: 'entityName',
  user: 'dataoneUser',
  fileset: 'entityId',
  dfiid: 'dfiid',
  hash: 'fileHash',
} as const;

async function filtersOf(
  { kind, text }: FileSearch & { readonly kind: Exclude<SearchKind, 'partner'> },
  signal: AbortSignal,
): Promise<Record<string, string>> {
  if (kind !== 'job') return { [filterOf[kind]]: text };
  const { dfic } = await callEndpoint(findJobEndpoint, { params: { id: text }, query: { history: 'none' }, signal });
  return { dfiid: dfic.dfiid };
}
