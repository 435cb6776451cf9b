import { holdSecretOwner } from '@waybill/directory/queries/find-secret-uses';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { setSecret } from '@waybill/secrets/manage-secrets';
import { Secret } from '@waybill/service-kit/config/secret';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { urlAs } from '@waybill/test-kit/test-roles';
import type { ShownJob } from './start-test-job-manager.ts';
import type { TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager, type OneJobManager } from './test-managers.ts';

const secretKeys = newKeyRingEntry();

/** The environment of a job manager that may connect to this machine, and reads what `storeSecret` stores. */
export const connectingEnv = {
  SECRET_KEYS: secretKeys,
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  JOB_POLL_SECONDS: '0.2',
};

/** Stores a secret of the platform, or of an actor. */
export async function storeSecret(
  { database }: Pick<TestPlatform, 'database'>,
  { name, value, owner = '' }: { name: string; value: string; owner?: string | undefined },
): Promise<void> {
  const db = connectPostgres({ url: urlAs('operator', database.url), applicationName: 'test' });
  const ring = openKeyRingSource({ SECRET_KEYS: secretKeys }, { maxAgeMs: 0 })();
  const by = { user: 'test', nodeId: 'test', managerName: 'manager1' };
  await setSecret(db, { ring, id: { owner, name }, value: new Secret(value), by, holdOwner: holdSecretOwner });
  await db.destroy();
}

/** A step of a workflow in the tests of connections. */
export interface RigStep {
  readonly uses: string;
  readonly with: Readonly<Record<string, string>>;
  readonly retry?: { readonly attempts: number; readonly delaySeconds: number };
  readonly timeoutSeconds?: number;
}

/** A job manager whose jobs may connect to this machine. */
export interface ConnectionRig extends OneJobManager {
  /** Stores a secret of the platform, or of an actor. */
  setSecret(name: string, value: string, owner?: string): Promise<void>;
  /** Puts client connections into force, and one workflow for each of these steps, which `run` starts by its name. */
  configure(
    connections: readonly object[],
    steps: Readonly<Record<string, RigStep>>,
    /** Other parts of the configuration. */
    more?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Submits a job; returns its id. */
  submit(step: string, variables?: Readonly<Record<string, string>>): Promise<number>;
  /** Runs a job to its end, and returns it. */
  run(step: string, status: 'COMPLETED' | 'ERROR', variables?: Readonly<Record<string, string>>): Promise<ShownJob>;
}

/** One for all tests of the calling file. `env` adds to its environment; `logger` takes what it logs. */
export function connectionRig(env: Readonly<Record<string, string>> = {}, logger?: Logger): ConnectionRig {
  const site = oneJobManager({ ...connectingEnv, ...env }, logger);
  const submit: ConnectionRig['submit'] = async (actionName, actionVariables = {}) => {
    const response = await site.manager.submit({ contractName: 'transfers', actionName, actionVariables });
    return (response.json() as ShownJob).id;
  };
  return {
    get platform() {
      return site.platform;
    },
    get manager() {
      return site.manager;
    },
    setSecret: (name, value, owner) => storeSecret(site.platform, { name, value, owner }),
    configure: (connections, steps, more) => site.platform.apply({ ...configurationWith(connections, steps), ...more }),
    submit,
    run: async (step, status, variables) => site.manager.reaches(await submit(step, variables), status, 60_000),
  };
}

function configurationWith(connections: readonly object[], steps: Readonly<Record<string, RigStep>>) {
  const [actor, ...others] = testConfiguration.actors;
  const names = Object.keys(steps);
  const contract = {
    name: 'transfers',
    type: 'Output',
    actions: names.map((name) => ({ name, trigger: { type: 'OnDemand' }, vfs: 'acme-files', workflow: name })),
  };
  return {
    ...testConfiguration,
    clientConnections: connections,
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      ...Object.entries(steps).map(([name, step]) => ({ name, description: '', steps: [{ name: 'only', ...step }] })),
    ],
    actors: [{ ...actor, contracts: [...(actor?.contracts ?? []), contract] }, ...others],
  };
}
