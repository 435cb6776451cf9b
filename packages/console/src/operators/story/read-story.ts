import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { callEndpoint } from '../api/call-endpoint.ts';
import { type JsonObject, membersOf } from '../audit/proof/canonical-json.ts';
import type { KeyValidity } from '../audit/proof/checkpoint.ts';
import { readRecords } from '../audit/record/read-record.ts';
import { listAuditRecords } from '../audit/search/audit-filters.ts';
import { listJobs } from '../jobs/job-filters.ts';

/** What is known of a dataflow instance. */
export interface Story {
  /** The login that began it, if it was found, and the records of the dataflow instance, in the order of the log. */
  readonly records: readonly JsonObject[];
  readonly keys: readonly KeyValidity[];
}

/** Logins of a user among which that of an upload is looked for. */
const loginsAtMost = 50;

/** Jobs that are shown with their steps. */
const jobsAtMost = 20;

/** Reads the records of a dataflow instance and the login that began it. @throws RequestFailure */
export async function readStory(dfiid: string, signal: AbortSignal): Promise<Story> {
  const { records, keys } = await readRecords({ dfiid }, signal);
  const [first] = records;
  const login = first && (await findLogin(first, signal));
  return { records: login === undefined ? records : [login, ...records], keys };
}

/** Reads the oldest jobs of a dataflow instance with their steps. @throws RequestFailure */
export async function readJobs(dfiid: string, signal: AbortSignal): Promise<JobDetailView[]> {
  const { rows } = await listJobs({ dfiid }, undefined, signal);
  const oldest = rows.toReversed().slice(0, jobsAtMost);
  return Promise.all(oldest.map(({ id }) => callEndpoint(findJobEndpoint, { params: { id }, signal })));
}

/** The login of the session in which a record was made. */
async function findLogin(record: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
  const session = sessionOf(record);
  const { dataoneUser, auditTime } = record;
  if (session === undefined || typeof dataoneUser !== 'string' || typeof auditTime !== 'string') return undefined;
  const filters = { dataoneUser, auditOperation: 'SERVER_LOGIN', toAuditTime: auditTime };
  const { rows } = await listAuditRecords(filters, { limit: loginsAtMost, signal });
  const oldest = rows.at(-1);
  if (oldest === undefined) return undefined;
  const { records } = await readRecords({ ...filters, fromAuditTime: oldest.auditTime }, signal);
  return records.findLast((one) => sessionOf(one) === session);
}

function sessionOf(record: JsonObject): string | undefined {
  const session = membersOf(record['context']).find(([name]) => name === 'session')?.[1];
  return typeof session === 'string' ? session : undefined;
}
