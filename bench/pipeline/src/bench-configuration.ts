import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Database } from '@waybill/postgres/database';

/** The users of the benchmark: no contract listens to the files of the first, one listens to all of the second. */
export const benchUsers = { unheard: 'unheard', heard: 'heard' } as const;

/** The folder that the contract listens to, and the one that its jobs write to; to be created. */
export const heardFolders = ['/in', '/notes'] as const;

/** Replaces the demo's configuration by that of the benchmark. Both users log in with the key. */
export async function applyBenchConfiguration(db: Database, publicKey: string): Promise<void> {
  const configuration = parseConfiguration({
    manager: { name: 'manager1' },
    clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
    queues: [{ name: 'Default Queue', priority: 5, parallelism: 8 }],
    workflowTemplates: [
      {
        name: 'note',
        description: 'Writes a line.',
        steps: [
          { name: 'write', uses: 'write-file', with: { path: '/notes/${{ file.name }}.txt', text: 'It has arrived.' } },
        ],
      },
    ],
    actors: [
      actorOf(benchUsers.unheard, publicKey),
      { ...actorOf(benchUsers.heard, publicKey), contracts: [listener] },
    ],
  });
  const by = { user: 'bench', nodeId: 'bench' };
  await applyConfiguration({ db, configuration, by, files: { countFiles: async () => new Map(), setLimits } });
}

const listener = {
  name: 'listener',
  type: 'Mediation',
  queue: 'Default Queue',
  actions: [
    {
      name: 'note-arrival',
      trigger: { type: 'NewFile', vfs: `${benchUsers.heard}-files`, virtualPath: '/in', filePattern: '*' },
      workflow: 'note',
    },
  ],
};

function actorOf(name: string, publicKey: string) {
  return {
    name,
    type: 'Partner',
    users: [{ name, password: `${name}-demo`, publicKeys: [publicKey] }],
    virtualFileSystems: [{ name: `${name}-files` }],
    connectionContracts: [
      {
        name: `${name}-sftp`,
        cluster: 'cluster1',
        server: 'sftp-server',
        clauses: [{ user: name, vfs: `${name}-files` }],
      },
    ],
  };
}
