import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ActorOfJob } from '@waybill/directory/access/actor-of-job';
import type { Directory } from '@waybill/directory/directory';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { DestinationGuard } from './address/destination-guard.ts';
import { type AttemptRecord, type ConnectionHealth, recordAttempts } from './connections/connection-health.ts';
import { createOtherProcesses, mergeHealth, type OtherProcesses } from './connections/merge-health.ts';
import { definitionOf, openConnection, type OpenConnection } from './connections/open-connection.ts';
import { reportOutbound } from './connections/outbound-metrics.ts';
import type { ReadOwnedSecret } from './connections/read-owned-secret.ts';
import type { StepConnections } from './connections/step-connections.ts';
import { createCircuitBreaker } from './limits/circuit-breaker.ts';

/** What client connections need. */
export interface OutboundParts {
  readonly directory: Pick<Directory, 'findClientConnection'>;
  readonly readSecret: ReadOwnedSecret;
  readonly guard: DestinationGuard;
  readonly metrics: Metrics;
}

/** The client connections of this process. Disposing of it closes them. */
export interface Outbound extends Disposable {
  /** What a step of a job may use. `key` identifies the step. */
  forStep(step: { readonly job: ActorOfJob; readonly key: string }): StepConnections;
  /** The connections that this process and those that it listens to have opened since it started, or since they were changed. */
  health(): ConnectionHealth[];
  /** Takes what a process that this one has started reports of its connections; `undefined`: it has ended. */
  readonly hear: OtherProcesses['hear'];
}

/** Opens connections as steps need them. A changed connection is in force with the next step. */
export function createOutbound({ directory, readSecret, guard, metrics }: OutboundParts): Outbound {
  const open = new Map<string, OpenConnection>();
  const records = new Map<string, AttemptRecord>();
  const others = createOtherProcesses();
  const health = (): ConnectionHealth[] => mergeHealth([...healthOf(open, records), ...others.health()]);
  const count = reportOutbound(metrics, health);

  const find = async (name: string, job: ActorOfJob): Promise<OpenConnection> => {
    const owned = await directory.findClientConnection(name, job);
    if (!owned) {
      const detail = `Neither the actor ${job.actor} nor the platform has a client connection ${JSON.stringify(name)}`;
      throw new CodedError('connection_unknown', { detail });
    }
    if (!owned.connection.enabled) {
      throw new CodedError('connection_unknown', { detail: `The client connection ${name} is disabled` });
    }
    const known = open.get(name);
    if (known?.definition === definitionOf(owned)) return known;
    known?.[Symbol.dispose]();
    const record = recordAttempts(createCircuitBreaker(name));
    const opened = openConnection(owned, { guard, readSecret, breaker: count(name, record.breaker) });
    if (known) others.forget(name);
    open.set(name, opened);
    records.set(name, record);
    return opened;
  };
  return {
    forStep: ({ job, key: idempotencyKey }) => ({
      idempotencyKey,
      sftp: async (name, signal) => await ((await find(name, job)).sftp ?? otherType(name, 'sftp'))(signal),
      ftps: async (name, signal) => await ((await find(name, job)).ftps ?? otherType(name, 'ftps'))(signal),
      s3: async (name, signal) => await ((await find(name, job)).s3 ?? otherType(name, 's3'))(signal),
      http: async (name, signal) => await ((await find(name, job)).http ?? otherType(name, 'http'))(signal),
      scan: async (name, content, signal) => {
        const { scan } = await find(name, job);
        return await (scan ?? otherType(name, 'clamav or icap'))(content, signal);
      },
      sendMail: async (name, mail, signal) => {
        const { sendMail } = await find(name, job);
        return await (sendMail ?? otherType(name, 'smtp'))(mail, signal);
      },
    }),
    health,
    hear: (process, heard) => others.hear(process, heard),
    [Symbol.dispose]: () => {
      for (const connection of open.values()) connection[Symbol.dispose]();
      open.clear();
    },
  };
}

function healthOf(
  open: ReadonlyMap<string, OpenConnection>,
  records: ReadonlyMap<string, AttemptRecord>,
): ConnectionHealth[] {
  return [...open].flatMap(([name, connection]) => {
    const record = records.get(name);
    return record ? [{ ...connection.state(), ...record.read() }] : [];
  });
}

function otherType(name: string, type: string): never {
  throw new CodedError('connection_unknown', { detail: `The client connection ${name} is not of the type ${type}` });
}
