import { createHash } from 'node:crypto';
import type { ActorOfJob } from '@waybill/directory/access/actor-of-job';
import type { Directory } from '@waybill/directory/directory';
import { createDestinationGuard } from '@waybill/outbound/address/destination-guard';
import type { ConnectionHealth } from '@waybill/outbound/connections/connection-health';
import { createOwnedSecretReader } from '@waybill/outbound/connections/read-owned-secret';
import type { StepConnections } from '@waybill/outbound/connections/step-connections';
import { createOutbound } from '@waybill/outbound/create-outbound';
import type { Database } from '@waybill/postgres/database';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import type { Environment } from '@waybill/service-kit/config/secret-source';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { Config } from '../../config.ts';
import type { StepDeliveries } from '../../domain/deliveries/webhook-delivery.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { CommandConfig } from '../../domain/workflows/command-settings.ts';
import type { StepCommands } from '../../domain/workflows/step-commands.ts';
import type { StepKeys } from '../../domain/workflows/task.ts';
import { createDeliveryLog, type LoggedAttempt } from '../deliveries/delivery-log.ts';
import { createPgpKeyReader } from './pgp-key-reader.ts';
import { createCommandRunner } from './run-command.ts';

/** What the client connections of a worker need. */
export interface OutboundOptions {
  readonly config: Pick<
    Config,
    | 'KEY_RELOAD_SECONDS'
    | 'OUTBOUND_ALLOWED_HOSTS'
    | 'OUTBOUND_ALLOWED_NETWORKS'
    | 'WEBHOOK_BODY_DAYS'
    | 'WEBHOOK_BODY_BYTES'
  >;
  /** The programs that jobs may run; none if they are absent. */
  readonly commands?: CommandConfig | undefined;
  readonly managerName: string;
  /** Of this process: the key ring is read from it again and again. */
  readonly env: Environment;
  readonly db: Database;
  readonly directory: Directory;
  readonly metrics: Metrics;
}

/** The client connections of the jobs of a process. Disposing of it closes them. */
export interface JobConnections extends Disposable {
  /** Those of the actor of a job; `key` identifies what is sent. */
  readonly connectionsOf: (step: { readonly job: ActorOfJob; readonly key: string }) => StepConnections;
  /** Those that a step may use. */
  readonly connectionsFor: (
    run: { readonly job: Job; readonly position: number },
    attempt: Pick<LoggedAttempt, 'step' | 'attempt'>,
  ) => StepConnections & StepKeys & StepCommands & StepDeliveries;
  /** How those do that this process uses, and those that it has heard of. */
  readonly health: () => readonly ConnectionHealth[];
  /** Takes what a process that this one has started reports of its connections; `undefined`: it has ended. */
  readonly hear: (process: string, health: readonly ConnectionHealth[] | undefined) => void;
}

/** Opens the client connections for jobs; they connect when a step uses them. */
export function openOutbound(options: OutboundOptions): JobConnections {
  const { config, managerName, env, db, directory, metrics } = options;
  const ringSource = openKeyRingSource(env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 });
  const readSecret = createOwnedSecretReader({ directory, secrets: createSecretReader(db, ringSource) });
  const outbound = createOutbound({
    directory,
    metrics,
    readSecret,
    guard: createDestinationGuard({
      allowedHosts: config.OUTBOUND_ALLOWED_HOSTS,
      allowedNetworks: config.OUTBOUND_ALLOWED_NETWORKS,
    }),
  });
  const runCommand = createCommandRunner(options.commands);
  const bodies = { days: config.WEBHOOK_BODY_DAYS, bytes: config.WEBHOOK_BODY_BYTES };
  return {
    connectionsOf: (step) => outbound.forStep(step),
    connectionsFor: ({ job, position }, attempt) => {
      const key = stepKey(job, position, managerName);
      return {
        ...outbound.forStep({ job, key }),
        ...createDeliveryLog(db, { ...attempt, job: job.id, webhookId: key }, bodies),
        runCommand,
        pgpKey: createPgpKeyReader({ directory, readSecret, job }),
      };
    },
    health: () => outbound.health(),
    hear: (process, health) => outbound.hear(process, health),
    [Symbol.dispose]: () => outbound[Symbol.dispose](),
  };
}

/** Identifies a step of a job, also to others, who see several platforms; a rebuilt platform counts its jobs from 1 again. */
function stepKey({ id, createdAt }: Job, position: number, managerName: string): string {
  const identity = JSON.stringify([managerName, id, createdAt.toISOString(), position]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
