import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Database } from '@waybill/postgres/database';

/** The VFS of all jobs, and its folders: `/in` starts a job for each file, and jobs write to `/out`. */
export const benchVfs = 'bench-files';

/** To be created. */
export const benchFolders = ['/in', '/out'] as const;

/** The contract and its OnDemand actions. */
export const benchContract = 'bench';

/** What a job does: two of them fail by design. */
export const benchActions = {
  write: 'writes a file',
  two: 'writes a file, then compresses it',
  absent: 'compresses a file that does not exist, and tries again',
  nowhere: 'writes into a folder that does not exist',
} as const;

/** The name of an action. */
export type BenchAction = keyof typeof benchActions;

/** Replaces the configuration. `admin` with the password `admin-demo` may submit. */
export async function applyBenchJobs(db: Database): Promise<void> {
  const configuration = parseConfiguration({
    manager: { name: 'manager1' },
    clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
    queues: [{ name: 'Default Queue', priority: 5, parallelism: 16 }],
    workflowTemplates: [
      workflow('write', [writeTo('/out/${{ variables.name }}.txt')]),
      workflow('two', [
        writeTo('/out/${{ variables.name }}.txt'),
        compress("${{ steps['write'].outputs.path }}", '/out/${{ variables.name }}.txt.gz'),
      ]),
      workflow('absent', [
        { ...compress('/out/absent', '/out/${{ variables.name }}.gz'), retry: { attempts: 2, delaySeconds: 1 } },
      ]),
      workflow('nowhere', [writeTo('/absent/${{ variables.name }}.txt')]),
      workflow('compress-arrival', [compress('${{ file.path }}', '/out/${{ file.name }}.gz')]),
    ],
    actors: [
      {
        name: 'bench',
        type: 'Partner',
        users: [{ name: 'bench', password: 'bench-demo' }],
        virtualFileSystems: [{ name: benchVfs }],
        contracts: [{ name: benchContract, type: 'Mediation', actions }],
      },
    ],
  });
  const by = { user: 'bench', nodeId: 'bench' };
  await applyConfiguration({ db, configuration, by, files: { countFiles: async () => new Map(), setLimits } });
}

const actions = [
  ...Object.keys(benchActions).map((name) => ({
    name,
    trigger: { type: 'OnDemand' },
    vfs: benchVfs,
    workflow: name,
    variables: { name: 'unnamed' },
  })),
  {
    name: 'arrival',
    trigger: { type: 'NewFile', vfs: benchVfs, virtualPath: '/in', filePattern: '*.csv' },
    workflow: 'compress-arrival',
  },
];

function workflow(name: string, steps: readonly object[]) {
  return { name, description: name, steps };
}

function writeTo(path: string) {
  return { name: 'write', uses: 'write-file', with: { path, text: 'job ${{ job.id }}' } };
}

function compress(source: string, target: string) {
  return { name: 'compress', uses: 'gzip', with: { source, target } };
}
