import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { callEndpoint } from '../api/call-endpoint.ts';
import { type JsonObject, membersOf } from '../audit/proof/canonical-json.ts';
import type { KeyValidity } from '../audit/proof/checkpoint.ts';
import { followRenames, textIn } from './follow-renames.ts';
import type { RecordSource } from './record-source.ts';

/** What is known of a dataflow instance. */
export interface Story {
  /**
   * The login that began it, if it was found, the records of the dataflow instance, and those of renames of folders above its file, the
   * oldest first.
   */
  readonly records: readonly JsonObject[];
  /** The record of the upload that began it. */
  readonly upload: JsonObject | undefined;
  /** Where this file is after its last rename, and after those of folders above it, if there was one. */
  readonly newPath: string | undefined;
  /** Whether the platform made a receipt of this upload: only of those over HTTP, whose login was found. */
  readonly hasReceipt: boolean;
  /** Absent: the page cannot prove the records. */
  readonly keys?: readonly KeyValidity[];
}

/** Logins of a user among which that of an upload is looked for. */
const loginsAtMost = 50;

/** Jobs that are shown with their steps. */
const jobsAtMost = 20;

/** Reads the records of a dataflow instance and the login that began it. @throws RequestFailure */
export async function readStory(source: RecordSource, dfiid: string, signal: AbortSignal): Promise<Story> {
  const { records, keys } = await source.read({ dfiid }, signal);
  const [first] = records;
  const login = first && (await findLogin(source, first, signal));
  const upload = records.find(({ auditOperation }) => auditOperation === 'SERVER_UPLOAD_FILE');
  const { newPath, folders } = await followRenames(
    source,
    upload ? records.slice(records.indexOf(upload)) : [],
    signal,
  );
  const all = mergeByTime(records, folders);
  return {
    upload,
    newPath,
    hasReceipt:
      upload !== undefined && login?.['entityType'] === 'HTTP Server' && sessionOf(upload) === sessionOf(login),
    records: login === undefined ? all : [login, ...all],
    ...(source.name === 'log' && { keys }),
  };
}

/** Puts records among others, each before those that are newer. */
function mergeByTime(records: readonly JsonObject[], others: readonly JsonObject[]): readonly JsonObject[] {
  if (others.length === 0) return records;
  return [...records, ...others].toSorted((one, other) =>
    textIn(one, 'auditTime').localeCompare(textIn(other, 'auditTime')),
  );
}

/** The oldest jobs of a dataflow instance, and whether there are more. */
export interface StoryJobs {
  readonly jobs: readonly JobDetailView[];
  readonly isCut: boolean;
}

/** Reads the oldest jobs of a dataflow instance with their steps. @throws RequestFailure */
export async function readJobs(dfiid: string, signal: AbortSignal): Promise<StoryJobs> {
  const query = { dfiid, sort: '+id', maxItems: jobsAtMost };
  const { jobs: oldest, next } = await callEndpoint(listJobsEndpoint, { query, signal });
  const jobs = await Promise.all(
    oldest.map(({ id }) => callEndpoint(findJobEndpoint, { params: { id }, query: { history: 'none' }, signal })),
  );
  return { jobs, isCut: next !== undefined };
}

/** The login of the session in which a record was made. */
async function findLogin(
  source: RecordSource,
  record: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const session = sessionOf(record);
  const { dataoneUser, auditTime } = record;
  if (session === undefined || typeof dataoneUser !== 'string' || typeof auditTime !== 'string') return undefined;
  const filters = { dataoneUser, auditOperation: 'SERVER_LOGIN', toAuditTime: auditTime };
  const { rows } = await source.list(filters, { limit: loginsAtMost, signal });
  const oldest = rows.at(-1);
  if (oldest === undefined) return undefined;
  const { records } = await source.read({ ...filters, fromAuditTime: oldest.auditTime }, signal);
  return records.findLast((one) => sessionOf(one) === session);
}

/** The session in which something was done; undefined if a job or the platform did it. */
export function sessionOf(record: JsonObject): string | undefined {
  const session = membersOf(record['context']).find(([name]) => name === 'session')?.[1];
  return typeof session === 'string' ? session : undefined;
}
