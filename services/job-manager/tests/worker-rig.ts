import type { ChildProcess } from 'node:child_process';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { connectingEnv, storeSecret } from './connection-rig.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { testProcesses } from './test-managers.ts';

/** Workflows that the rig runs, by the names of their actions, and other parts of the configuration. */
interface RiggedWorkflows {
  readonly workflows: Readonly<Record<string, { readonly steps: readonly object[] }>>;
  readonly grants?: readonly object[];
  readonly actors?: readonly object[];
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A platform whose jobs run in processes that can be killed, stopped and measured. */
export interface WorkerRig {
  readonly platform: TestPlatform;
  /** Starts a worker; it is killed after the test that has started it. */
  start(nodeName: string, env?: Readonly<Record<string, string>>): ChildProcess;
  setSecret(name: string, value: string): Promise<void>;
  configure(workflows: RiggedWorkflows): Promise<void>;
  /** Submits a job as the HTTP interface does, without one. Returns its number. */
  submit(action: string, actionVariables?: Readonly<Record<string, unknown>>): Promise<number>;
  /** Waits until the job has ended, and returns how. */
  ended(id: number, timeoutMs?: number): Promise<{ readonly status: string; readonly message: string }>;
  query(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
}

/** One for all tests of the calling file; it is started before the first of them. */
export function workerRig(): WorkerRig {
  const processes = testProcesses();
  const parts: { platform?: TestPlatform } = {};
  beforeAll(async () => {
    parts.platform = await startTestPlatform();
  });
  afterAll(() => parts.platform?.[Symbol.asyncDispose]());
  const started = (): TestPlatform => {
    if (!parts.platform) throw new Error('The platform is started before the first test, and not earlier');
    return parts.platform;
  };
  const query: WorkerRig['query'] = (sql, ...values) => started().database.query(sql, values);
  return {
    get platform() {
      return started();
    },
    query,
    start: (nodeName, env = {}) =>
      processes.start(started(), { ...connectingEnv, ROLE: 'worker', NODE_NAME: nodeName, ...env }),
    setSecret: (name, value) => storeSecret(started(), { name, value }),
    configure: (workflows) => started().apply(configurationWith(workflows)),
    submit: async (actionName, actionVariables = {}) => {
      const { db } = started();
      const register = createKnexJobRegister(db, { site: testSite });
      const userName = userNameSchema.parse('admin');
      const submitJob = createSubmitJob({ directory: openDirectory({ db, cacheMs: 0 }), register });
      return (await submitJob({ userName, contractName: 'rigged', actionName, actionVariables })).job.id;
    },
    ended: async (id, timeoutMs = 120_000) => {
      const found = await waitFor(
        async () => (await query('SELECT status, status_message FROM jobs.ended WHERE job_id = $1', id))[0],
        { what: `the end of job ${id}`, timeoutMs },
      );
      return { status: String(found['status']), message: String(found['status_message']) };
    },
  };
}

function configurationWith({ workflows, grants = [], actors = [], more }: RiggedWorkflows) {
  const [acme, ...others] = testConfiguration.actors;
  const onDemand = { trigger: { type: 'OnDemand' }, vfs: 'acme-files', grants };
  const actions = Object.keys(workflows).map((name) => ({ name, workflow: name, ...onDemand }));
  return {
    ...testConfiguration,
    queues: [...testConfiguration.queues, { name: 'Rigged', priority: 5, parallelism: 64 }],
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      ...Object.entries(workflows).map(([name, template]) => ({ name, ...template })),
    ],
    actors: [
      {
        ...acme,
        contracts: [...(acme?.contracts ?? []), { name: 'rigged', type: 'Output', queue: 'Rigged', actions }],
      },
      ...others,
      ...actors,
    ],
    ...more,
  };
}
