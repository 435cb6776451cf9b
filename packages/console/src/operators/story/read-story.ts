import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { newPathOf } from '@waybill/contracts/messages/new-path-of';
import { callEndpoint } from '../api/call-endpoint.ts';
import { type JsonObject, membersOf } from '../audit/proof/canonical-json.ts';
import type { KeyValidity } from '../audit/proof/checkpoint.ts';
import type { RecordSource } from './record-source.ts';

/** What is known of a dataflow instance. */
export interface Story {
  /** The login that began it, if it was found, and the records of the dataflow instance, in the order of the log. */
  readonly records: readonly JsonObject[];
  /** The record of the upload that began it. */
  readonly upload: JsonObject | undefined;
  /** Where this file is after its last rename, if it was renamed. */
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
  return {
    upload,
    newPath: upload && followRenames(records.slice(records.indexOf(upload)), textIn(upload, 'entityName')),
    hasReceipt:
      upload !== undefined && login?.['entityType'] === 'HTTP Server' && sessionOf(upload) === sessionOf(login),
    records: login === undefined ? records : [login, ...records],
    ...(source.name === 'log' && { keys }),
  };
}

/** The last of the paths that renames have given the file at a path; undefined without a rename. */
function followRenames(records: readonly JsonObject[], path: string): string | undefined {
  let newPath: string | undefined;
  for (const record of records) {
    const renamed = textIn(record, 'entityName') === (newPath ?? path) ? newPathOf(namesIn(record)) : undefined;
    newPath = renamed ?? newPath;
  }
  return newPath;
}

function namesIn(record: JsonObject) {
  const [auditCode, entityName] = [textIn(record, 'auditCode'), textIn(record, 'entityName')];
  return { auditCode, entityName, entityId: textIn(record, 'entityId'), auditMessage: textIn(record, 'auditMessage') };
}

/** A text of a record; empty if there is none. */
export function textIn(record: JsonObject, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
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
