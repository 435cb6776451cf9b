import { jobSchema } from '@waybill/contracts/endpoints/jobs/job';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expectStatus } from './expect-status.ts';
import { listOutbox } from './list-outbox.ts';
import type { AdminRequest } from './log-in-as-admin.ts';
import type { Narrator } from './narrator.ts';

/** Who submits, and who reads the result. */
export interface SubmitReportOptions {
  admin: AdminRequest;
  acme: HttpClient;
}

/** Submits a job, once, however often the request is repeated. */
export async function submitReport({ admin, acme }: SubmitReportOptions, narrator: Narrator): Promise<void> {
  const name = `tour-${Date.now()}`;
  const json = {
    contractName: 'invoices',
    actionName: 'write-report',
    actionVariables: { name, text: 'All paid.' },
    extIPID: name,
  };
  const submit = async (status: number) =>
    jobSchema.parse(expectStatus(await admin('POST', '/job-manager/jobs', { json }), status).json());

  const job = await narrator.step(
    'admin submits the OnDemand action',
    () => submit(201),
    ({ id }) => `201, job ${id}`,
  );
  await narrator.step(
    'The same extIPID again creates no second job',
    async () => {
      const same = await submit(409);
      if (same.id !== job.id) throw new Error(`it is job ${same.id} instead of ${job.id}`);
      return same;
    },
    ({ id }) => `409, job ${id}`,
  );
  await narrator.step(
    'acme finds the report',
    async () => {
      const report = `${name}.txt`;
      await waitFor(async () => (await listOutbox(acme)).some((file) => file.name === report), { what: report });
      return expectStatus(await acme.get(`/2.0/files/outbox/${report}`), 200).text;
    },
    (text) => `/outbox/${name}.txt says "${text}"`,
  );
}
