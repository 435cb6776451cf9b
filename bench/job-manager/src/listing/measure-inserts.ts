import { randomUUID } from 'node:crypto';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import type { NewJob } from '@waybill/job-manager/domain/jobs/new-job';
import type { Database } from '@waybill/postgres/database';
import { takeIndexes } from './fill-jobs.ts';

/** A PostgreSQL that `fillJobs` has filled. */
export interface FilledPostgres {
  readonly db: Database;
  readonly pid: number;
}

/**
 * What a submitted job costs PostgreSQL behind the jobs that are there, with the indexes that listings need and then
 * without them: processor milliseconds. The database cannot be used for listings afterwards.
 */
export async function measureInserts({ db, pid }: FilledPostgres, print: (line: string) => void): Promise<void> {
  const withIndexes = await measure(db, pid);
  const indexes = await takeIndexes(db);
  const without = await measure(db, pid);
  print(
    `a submission costs PostgreSQL ${withIndexes.toFixed(2)} ms of processor time, ` +
      `and ${without.toFixed(2)} ms without the ${indexes.length} indexes of listings`,
  );
}

const inserts = 4_000;
const adders = 4;

async function measure(db: Database, pid: number): Promise<number> {
  const register = createKnexJobRegister(db, { site: { managerName: 'manager1', nodeName: 'bench' } });
  const addSome = async (count: number): Promise<void> => {
    for (let added = 0; added < count; added += 1) await register.add(newJob());
  };
  // The first ones prepare statements.
  await Promise.all(Array.from({ length: adders }, () => addSome(50)));
  const before = await processorSecondsOfTree(pid);
  await Promise.all(Array.from({ length: adders }, () => addSome(inserts / adders)));
  return (((await processorSecondsOfTree(pid)) - before) * 1_000) / inserts;
}

function newJob(): NewJob {
  const extIPID = randomUUID();
  return {
    submittedBy: userNameSchema.parse('user1'),
    queue: 'queue1',
    actor: 'actor1',
    contract: 'contract1',
    contractType: 'Mediation',
    contractAction: 'action1',
    contractActionTrigger: 'OnDemand',
    workflow: { templateId: 1, templateName: 'template0', templateRevision: 1, templateDescription: '', steps: [] },
    variables: { folder: '/outbox' },
    dfic: { dfiid: randomUUID(), lcid: `${randomUUID()}:0`, userAttrs: {} },
    chainDepth: 1,
    extIPID,
    ipid: Buffer.from(extIPID),
  };
}
