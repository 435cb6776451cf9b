import { randomBytes } from 'node:crypto';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { testSite, type TestPlatform } from './start-test-platform.ts';

/** Delivers what a long job compresses for seconds. */
export function deliverLong({ deliver }: TestPlatform): Promise<void> {
  return deliver('/inbox/big', randomBytes(64 * 1024 * 1024));
}

/** Submits a job that compresses it, on a platform where no API runs. Returns its number. */
export async function submitLong({ db }: TestPlatform): Promise<number> {
  const register = createKnexJobRegister(db, { site: testSite });
  const { job } = await createSubmitJob({ directory: openDirectory({ db }), register })({
    userName: userNameSchema.parse('admin'),
    contractName: 'invoices',
    actionName: 'write-then-compress',
    actionVariables: { source: '/inbox/big' },
  });
  return job.id;
}
