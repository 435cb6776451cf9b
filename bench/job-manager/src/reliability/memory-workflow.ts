import type { BenchServer } from '@waybill/bench-sftp-gateway/servers/bench-server';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { holdSecretOwner } from '@waybill/directory/queries/find-secret-uses';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Database } from '@waybill/postgres/database';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { type ChangedBy, setSecret } from '@waybill/secrets/manage-secrets';
import { Secret } from '@waybill/service-kit/config/secret';
import { benchVfs } from './bench-jobs-configuration.ts';

/** The contract of the measurement. */
export const memoryContract = 'memory';

/** Its actions, in the order in which each needs the file of the one before. */
export const memoryActions = ['compress', 'encrypt', 'send'] as const;

const secretKeys = newKeyRingEntry();

/** What a worker needs for them. */
export const memoryEnvironment = {
  SECRET_KEYS: secretKeys,
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  JOB_POLL_SECONDS: '0.2',
};

/** The receiver of the file. */
export interface MemoryPartner {
  readonly server: Pick<BenchServer, 'port' | 'user' | 'folder'>;
  readonly privateKey: string;
  readonly hostKey: string;
  /** Public. */
  readonly pgpKey: string;
}

/** Replaces the configuration: `/in/big` is compressed, encrypted and sent, each by an action of its own; `write` does little. */
export async function applyMemoryWorkflow(db: Database, partner: MemoryPartner): Promise<void> {
  const by = { user: 'bench', nodeId: 'bench' };
  await storeKeyOf(partner, db, { ...by, managerName: 'manager1' });
  const steps = {
    write: { uses: 'write-file', with: { path: '/out/small', text: 'small' } },
    compress: { uses: 'gzip', with: { source: '/in/big', target: '/out/big.gz' } },
    encrypt: { uses: 'pgp-encrypt', with: { source: '/out/big.gz', target: '/out/big.pgp', recipients: ['partner'] } },
    send: {
      uses: 'sftp-push',
      with: { connection: 'partner', source: '/out/big.pgp', target: `${partner.server.folder}/` },
    },
  };
  const configuration = parseConfiguration({
    manager: { name: 'manager1' },
    clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
    clientConnections: [connectionTo(partner)],
    pgpKeys: [{ name: 'partner', publicKey: partner.pgpKey }],
    workflowTemplates: Object.entries(steps).map(([name, step]) => ({
      name,
      steps: [{ name, ...step, timeoutSeconds: 3_600 }],
    })),
    actors: [
      {
        name: 'bench',
        type: 'Partner',
        virtualFileSystems: [{ name: benchVfs }],
        contracts: [
          {
            name: memoryContract,
            type: 'Mediation',
            actions: Object.keys(steps).map((name) => ({
              name,
              workflow: name,
              trigger: { type: 'OnDemand' },
              vfs: benchVfs,
            })),
          },
        ],
      },
    ],
  });
  await applyConfiguration({ db, configuration, by, files: { countFiles: async () => new Map(), setLimits } });
}

function connectionTo({ server: { port, user }, hostKey }: MemoryPartner): object {
  return {
    name: 'partner',
    type: 'sftp',
    host: '127.0.0.1',
    port,
    username: user,
    privateKey: 'secret://partner',
    hostKeys: [hostKey],
  };
}

async function storeKeyOf({ privateKey }: MemoryPartner, db: Database, by: ChangedBy): Promise<void> {
  const ring = openKeyRingSource({ SECRET_KEYS: secretKeys }, { maxAgeMs: 0 })();
  const id = { owner: '', name: 'partner' };
  await setSecret(db, { ring, id, value: new Secret(privateKey), by, holdOwner: holdSecretOwner });
}
