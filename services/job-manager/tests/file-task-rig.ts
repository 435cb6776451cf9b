import type { TaskName } from '@waybill/contracts/configuration/workflow-step';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { existing, firstOf } from '@waybill/test-kit/values/existing';
import { z } from 'zod';
import { openOutbound } from '../src/adapters/connections/open-outbound.ts';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createFileboxJobFiles } from '../src/adapters/workflows/filebox-job-files.ts';
import type { ClaimedJob } from '../src/domain/jobs/job-ledger.ts';
import { commandConfigShape } from '../src/domain/workflows/command-settings.ts';
import type { JobFiles, Task } from '../src/domain/workflows/task.ts';
import { taskTable } from '../src/tasks/task-table.ts';
import { openThreadLane } from '../src/worker/lanes/thread-lane.ts';
import { jobIn, openQueue } from './claimable.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

/** Tasks that work on the files of acme, whose action may do something with those of globex. */
export interface FileTaskRig extends AsyncDisposable {
  readonly platform: TestPlatform;
  readonly globexId: string;
  /** A new job of the action, claimed by a worker, whose first step has begun. */
  claimNew(): Promise<ClaimedJob>;
  /** Another worker takes a job over, as if the lease of the first had expired. */
  takeOver(claimed: ClaimedJob): Promise<ClaimedJob>;
  filesOf(claimed: ClaimedJob, attempt?: number): JobFiles;
  /** Runs a task once, as a step of a new job, or of a claimed one. */
  run(
    uses: TaskName,
    parameters: Readonly<Record<string, unknown>>,
    options?: RunOptions,
  ): Promise<Record<string, unknown>>;
  /** The bytes at a path of acme, or of globex; `undefined` if there is no file. */
  read(path: string, vfsId?: string): Promise<string | undefined>;
  deliver(path: string, content: string | Buffer, vfsId?: string): Promise<void>;
}

interface RunOptions {
  readonly claimed?: ClaimedJob;
  readonly attempt?: number;
  readonly signal?: AbortSignal;
  /** Replaces functions of the files. */
  readonly files?: (files: JobFiles) => JobFiles;
  readonly log?: (message: string) => void;
}

/** The grants of the action. */
export const grants = [
  { vfs: 'globex-files', path: '/inbox', rights: ['list', 'download', 'upload', 'delete'] },
  { vfs: 'globex-files', path: '/readable', rights: ['list', 'download'] },
];

/** An action of acme for files that arrive in `/inbox`. */
interface Arrival {
  readonly workflow: { readonly name: string; readonly steps: readonly object[] };
  readonly filePattern: string;
  readonly grants: readonly object[];
}

/** The test configuration with a second partner, and the grants of one action. */
export function configurationWith(granted: readonly object[], arrival?: Arrival): unknown {
  return {
    ...testConfiguration,
    workflowTemplates: [...testConfiguration.workflowTemplates, ...(arrival ? [arrival.workflow] : [])],
    actors: [
      ...testConfiguration.actors.map((actor) => ({
        ...actor,
        contracts: [
          ...(arrival ? [arrivalContract(arrival)] : []),
          ...actor.contracts.map((contract) => ({
            ...contract,
            actions: contract.actions.map((action) =>
              'name' in action && action.name === 'write-report' && contract.name === 'invoices'
                ? { ...action, grants: granted }
                : action,
            ),
          })),
        ],
      })),
      {
        name: 'globex',
        type: 'Partner',
        virtualFileSystems: [{ name: 'globex-files', folders: ['/inbox', '/readable', '/secret'] }],
        contracts: [
          {
            name: 'received',
            type: 'Input',
            actions: [
              {
                name: 'confirm',
                trigger: { type: 'IncomingTransfer', vfs: 'globex-files', virtualPath: '/inbox' },
                workflow: 'write-report',
                variables: { folder: '/readable', name: 'confirmed', text: '' },
              },
            ],
          },
        ],
      },
    ],
  };
}

function arrivalContract({ workflow, filePattern, grants: granted }: Arrival) {
  const trigger = { type: 'NewFile', vfs: 'acme-files', virtualPath: '/inbox', filePattern };
  return {
    name: 'arrivals',
    type: 'Mediation',
    actions: [{ name: 'arrived', trigger, workflow: workflow.name, grants: granted }],
  };
}

/** Starts the rig. `commands`: the settings of `run-command`, which is off by default. */
export async function openFileTaskRig(commands: Readonly<Record<string, string>> = {}): Promise<FileTaskRig> {
  await using started = new AsyncDisposableStack();
  const platform = started.use(await startTestPlatform());
  await platform.apply(configurationWith(grants));
  const directory = openDirectory({ db: platform.db, cacheMs: 0 });
  const globexId = existing(await directory.findVfsByName('globex-files')).id;
  await platform.filebox.ensureFolders(globexId, ['/inbox', '/readable', '/secret'].map(parseVirtualPath));
  const lane = started.use(openThreadLane());
  const outbound = started.use(
    openOutbound({
      config: {
        KEY_RELOAD_SECONDS: 60,
        OUTBOUND_ALLOWED_HOSTS: [],
        WEBHOOK_BODY_DAYS: 7,
        WEBHOOK_BODY_BYTES: 65_536,
        OUTBOUND_ALLOWED_NETWORKS: [],
      },
      commands: z.object(commandConfigShape).parse(commands),
      managerName: testSite.managerName,
      env: {},
      db: platform.db,
      directory,
      metrics: createMetrics('test'),
    }),
  );
  const ledger = (owner: string) =>
    createKnexJobLedger({ db: platform.db, owner, leaseMs: 60_000, patienceMs: 600_000, site: testSite });
  const claim = async (owner: string, queue: string) => firstOf(await ledger(owner).claim([openQueue(queue)], 1));
  let jobs = 0;
  const filesOf = ({ job, hold }: ClaimedJob, attempt = 1) =>
    createFileboxJobFiles(
      { db: platform.db, filebox: platform.filebox, directory, site: testSite },
      { job, hold, position: 0, attempt },
    );
  const claimNew = async (): Promise<ClaimedJob> => {
    jobs += 1;
    const queue = `queue ${jobs}`;
    await createKnexJobRegister(platform.db, { site: testSite }).add({ ...jobIn(queue), vfsId: platform.vfsId });
    const claimed = await claim('first', queue);
    await ledger('first').beginStep(claimed.hold, { position: 0, name: 'only', task: 'write-file' });
    return claimed;
  };
  const resources = started.move();
  return {
    platform,
    globexId,
    claimNew,
    takeOver: async ({ job }) => {
      await platform.database.query('UPDATE jobs.active SET due_at = clock_timestamp() WHERE job_id = $1', [job.id]);
      return claim('second', job.queue);
    },
    filesOf,
    run: async (uses, parameters, options = {}) => {
      const task: Task = taskTable[uses];
      const { claimed = await claimNew(), attempt, files = (all) => all, log = () => {} } = options;
      const { signal = new AbortController().signal } = options;
      const outputs = await task.run(task.parameters.parse(parameters), {
        files: files(filesOf(claimed, attempt)),
        connections: outbound.connectionsFor({ job: claimed.job, position: 0 }, { step: 'step', attempt: 1 }),
        submissions: { submitJob: () => Promise.reject(new Error('no job is submitted here')) },
        compute: lane.compute,
        waiting: {
          state: undefined,
          suspend: ({ message }) => {
            throw new Error(message);
          },
        },
        signal,
        log,
      });
      return { ...outputs };
    },
    read: (path, vfsId = platform.vfsId) => readText(platform, path, vfsId),
    deliver: async (path, content, vfsId = platform.vfsId) => {
      const [parsed, options] = [parseVirtualPath(path), { origin: testOrigin, overwrite: true }];
      await using upload = await platform.filebox.beginUpload(vfsId, parsed, options);
      await upload.write(Buffer.from(content), 0);
      await upload.commit();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function readText({ filebox }: TestPlatform, path: string, vfsId: string): Promise<string | undefined> {
  const entry = await filebox.find(vfsId, parseVirtualPath(path));
  if (entry?.kind !== 'file') return undefined;
  await using download = await filebox.openDownload(vfsId, parseVirtualPath(path), { origin: testOrigin });
  return (await download.read(0, entry.size)).toString();
}

const testOrigin = {
  userName: jobIn('q').submittedBy,
  actorName: 'acme',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
} as const;
