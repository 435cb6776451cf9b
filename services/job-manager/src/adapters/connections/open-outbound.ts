import { createHash } from 'node:crypto';
import type { Directory } from '@waybill/directory/directory';
import { createDestinationGuard } from '@waybill/outbound/address/destination-guard';
import type { StepConnections } from '@waybill/outbound/connections/step-connections';
import { createOutbound } from '@waybill/outbound/create-outbound';
import type { Database } from '@waybill/postgres/database';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import type { Environment } from '@waybill/service-kit/config/secret-source';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { Config } from '../../config.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { StepKeys } from '../../domain/workflows/task.ts';
import { createPgpKeyReader } from './pgp-key-reader.ts';

/** What the client connections of a worker need. */
export interface OutboundOptions {
  readonly config: Pick<Config, 'KEY_RELOAD_SECONDS' | 'OUTBOUND_ALLOWED_HOSTS' | 'OUTBOUND_ALLOWED_NETWORKS'>;
  readonly managerName: string;
  /** Of this process: the key ring is read from it again and again. */
  readonly env: Environment;
  readonly db: Database;
  readonly directory: Directory;
  readonly metrics: Metrics;
}

/** The client connections of the jobs of a process. Disposing of it closes them. */
export interface JobConnections extends Disposable {
  /** Those that a step may use. */
  readonly connectionsFor: (run: { readonly job: Job; readonly position: number }) => StepConnections & StepKeys;
}

/** Opens the client connections for jobs; they connect when a step uses them. */
export function openOutbound({ config, managerName, env, db, directory, metrics }: OutboundOptions): JobConnections {
  const ringSource = openKeyRingSource(env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 });
  const secrets = createSecretReader(db, ringSource);
  const outbound = createOutbound({
    directory,
    metrics,
    secrets,
    guard: createDestinationGuard({
      allowedHosts: config.OUTBOUND_ALLOWED_HOSTS,
      allowedNetworks: config.OUTBOUND_ALLOWED_NETWORKS,
    }),
  });
  return {
    connectionsFor: ({ job, position }) => ({
      ...outbound.forStep({ actor: job.actor, key: stepKey(job, position, managerName) }),
      pgpKey: createPgpKeyReader({ directory, secrets, actor: job.actor }),
    }),
    [Symbol.dispose]: () => outbound[Symbol.dispose](),
  };
}

/** Identifies a step of a job, also to others, who see several platforms; a rebuilt platform counts its jobs from 1 again. */
function stepKey({ id, createdAt }: Job, position: number, managerName: string): string {
  const identity = JSON.stringify([managerName, id, createdAt.toISOString(), position]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
