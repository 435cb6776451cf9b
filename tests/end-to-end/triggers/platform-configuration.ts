import { connectToServers, siteConfiguration } from '../site-configuration.ts';

/** The triggers by what happens to a file. */
export const fileTriggers = ['NewFile', 'IncomingTransfer', 'OutgoingTransfer', 'IncomingUpdateMetadata'] as const;

/** A trigger by what happens to a file. */
export type FileTriggerName = (typeof fileTriggers)[number];

/** Two actions wait for each event: every event has two jobs. */
export const twins = ['first', 'second'] as const;

/** The password of the partner `acme`. */
export const partnerPassword = 'acme-demo';

/**
 * A platform with one contract for each trigger, named after it. Those of files watch `/watched` and, by patterns of paths,
 * `/by/<any>/in` and `/deep` with all folders in it. The contract `chained` watches what the jobs of others write.
 */
export function triggerConfiguration(): string {
  return JSON.stringify({
    ...siteConfiguration,
    workflowTemplates: [
      workflow('note-file', '/done/${{ job.contract }}.${{ job.action }}.${{ job.id }}.${{ file.name }}'),
      workflow('note-run', '/done/${{ job.contract }}.${{ job.action }}.${{ job.id }}'),
      workflow('note-chained', '/end/${{ job.contract }}.${{ file.name }}'),
    ],
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        users: [{ name: 'acme', password: partnerPassword }],
        virtualFileSystems: [
          {
            name: 'acme-files',
            folders: ['/watched/sub', '/by/partner/in', '/by/partner/out', '/deep/a/b', '/elsewhere', '/done', '/end'],
          },
        ],
        connectionContracts: connectToServers([{ user: 'acme', vfs: 'acme-files', mountPath: '/' }]),
        contracts: [
          ...fileTriggers.map((type) =>
            contract(
              type,
              twins.flatMap((name) => fileActions(name, type)),
            ),
          ),
          contract(
            'OnDemand',
            twins.map((name) => action(name, 'note-run', { type: 'OnDemand' }, 'acme-files')),
          ),
          contract(
            'Time',
            twins.map((name) => action(name, 'note-run', { type: 'Time', cron: '* * * * *' }, 'acme-files')),
          ),
          contract('chained', [
            action('new', 'note-chained', inFolder('NewFile', '/done', 'NewFile.first.*.chain.csv')),
            action('incoming', 'note-chained', inFolder('IncomingTransfer', '/done', '*')),
          ]),
        ],
      },
    ],
  });
}

function workflow(name: string, path: string) {
  return { name, steps: [{ name: 'write', uses: 'write-file', with: { path, text: 'noted' } }] };
}

function contract(name: string, actions: readonly object[]) {
  return { name, type: 'Mediation', actions };
}

function action(name: string, workflowName: string, trigger: object, vfs?: string) {
  return { name, trigger, workflow: workflowName, ...(vfs !== undefined && { vfs }) };
}

function fileActions(name: string, type: FileTriggerName) {
  return ['/watched', '/by/*/in', '/deep/**'].map((folder, index) =>
    action(index === 0 ? name : `${name}-${index}`, 'note-file', inFolder(type, folder, '*.csv')),
  );
}

function inFolder(type: FileTriggerName, virtualPath: string, filePattern: string) {
  return { type, vfs: 'acme-files', virtualPath, filePattern };
}
