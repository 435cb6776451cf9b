import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { callEndpoint } from '../api/call-endpoint.ts';
import { listAuditRecords } from '../audit/search/audit-filters.ts';

/** What files can be found by. */
export const searchKinds = ['path', 'partner', 'fileset', 'dfiid', 'job'] as const;

/** What a file is found by. */
export type SearchKind = (typeof searchKinds)[number];

/** A file that was found, as its newest record has it. */
export interface FoundFile {
  readonly dfiid: string;
  readonly path: string;
  readonly user: string;
  readonly time: string;
}

/** Records of which the files are shown. */
const recordsAtMost = 500;

/** The files that match, the newest first. @throws RequestFailure */
export async function findFiles(kind: SearchKind, text: string, signal: AbortSignal): Promise<FoundFile[]> {
  const filters = await filtersOf(kind, text, signal);
  const { rows } = await listAuditRecords(filters, { limit: recordsAtMost, signal });
  const files = new Map<string, FoundFile>();
  for (const { dfiid, entityName, dataoneUser, auditTime } of rows) {
    if (dfiid !== null && !files.has(dfiid))
      files.set(dfiid, { dfiid, path: entityName, user: dataoneUser, time: auditTime });
  }
  return [...files.values()];
}

/** The filter of the audit log for each of them but the job. */
const filterOf = { path: 'entityName', partner: 'dataoneUser', fileset: 'entityId', dfiid: 'dfiid' } as const;

async function filtersOf(kind: SearchKind, text: string, signal: AbortSignal): Promise<Record<string, string>> {
  if (kind !== 'job') return { [filterOf[kind]]: text };
  const { dfic } = await callEndpoint(findJobEndpoint, { params: { id: text }, signal });
  return { dfiid: dfic.dfiid };
}
