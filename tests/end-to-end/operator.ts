import { type JobView, jobSchema } from '@waybill/contracts/endpoints/jobs/job';
import { type AuditRecord, auditRecordSchema } from '@waybill/contracts/values/audit-record';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { z } from 'zod';

/** What an administrator sees of the platform. */
export interface Operator {
  /** The newest jobs that match, newest first. */
  jobs(query: Readonly<Record<string, string | number>>): Promise<JobView[]>;
  /** The newest records that match the filter expression, newest first. */
  auditRecords(filter: string): Promise<AuditRecord[]>;
  /** Whether the chain of the record holds, from its first link to its last. */
  isRecordIntact(): Promise<boolean>;
}

/** Makes the demo's administrator; logs in again whenever its token is not taken any more. */
export function createOperator(url: string): Operator {
  const client = createHttpClient(url);
  let bearer = 'none yet';
  const logIn = async () => {
    const json = { username: 'admin', password: 'admin-demo' };
    const login = await client.post('/platform-application/api/v1/auth/login', { json });
    if (login.status !== 200) throw new Error(`login answered ${login.status}: ${login.text}`);
    bearer = z.object({ accessToken: z.string() }).parse(login.json()).accessToken;
  };
  const read = async (path: string, query: Readonly<Record<string, string | number>>): Promise<unknown> => {
    let answer = await client.get(path, { bearer, query });
    if (answer.status === 401) {
      await logIn();
      answer = await client.get(path, { bearer, query });
    }
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.json();
  };
  return {
    jobs: async (query) => z.object({ jobs: z.array(jobSchema) }).parse(await read('/job-manager/jobs', query)).jobs,
    auditRecords: async (q) =>
      z
        .array(auditRecordSchema)
        .parse(await read('/platform-application/api/v1/audit/logs', { page: 0, limit: 1000, sort: '-auditTime', q })),
    isRecordIntact: async () =>
      z.object({ intact: z.boolean() }).parse(await read('/platform-application/api/v1/audit/verification', {})).intact,
  };
}
