import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ConnectionHealth } from '@waybill/outbound/connections/connection-health';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { z } from 'zod';
import type { JobConnections } from '../../adapters/connections/open-outbound.ts';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { ClaimedJob, JobLedger } from '../../domain/jobs/job-ledger.ts';
import type { ProcessOutcome, JobManagerEvents } from '../../events.ts';
import type { JobRunner } from '../run/run-job.ts';
import {
  processesAtMost,
  processReportSchema,
  type processInterruptSchema,
  type processOrderSchema,
} from './process-messages.ts';
import { createTurns } from './turns.ts';

/** What running jobs in processes of their own needs. */
export interface ProcessLaneOptions {
  readonly ledger: Pick<JobLedger, 'noteLoss'>;
  readonly events: JobManagerEvents;
  /** What the processes count is added to these. */
  readonly metrics: Pick<Metrics, 'add'>;
  /** They hear how the connections of the processes do. */
  readonly connections: Pick<JobConnections, 'hear'>;
  /** The environment of the process: that of this one. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly owner: string;
  /** How long an interrupted process may take to end before it is killed, in milliseconds. */
  readonly graceMs: number;
  /** Runs a job in this process: one that was interrupted before its turn came is handed back so. */
  readonly runHere: JobRunner;
}

/** How a process ended, and whether it had begun a step: what ends it before that is not the job's fault. */
interface ProcessEnd {
  readonly outcome: ProcessOutcome;
  readonly hasBegun: boolean;
}

/** How long a process may take to begin a step: it starts Node and connects to PostgreSQL and the storage. */
const startLimitMs = 60_000;

const program = fileURLToPath(new URL('../../main.ts', import.meta.url));

/**
 * Runs suspected jobs, each in a process of its own, which can take nothing down but itself, and which is killed if it does
 * not end: after an interruption, or when its start or a step takes too long. A process that died during a step is noted
 * against its job; the lease of one that never began runs out. It does not throw.
 */
export function createProcessLane(options: ProcessLaneOptions): JobRunner {
  const { ledger, events } = options;
  const turns = createTurns(processesAtMost);
  return async (claimed, signal) => {
    await using _turn = await turns.next();
    if (signal.aborted) return await options.runHere(claimed, signal);
    const { outcome, hasBegun } = await runProcess(options, claimed, signal);
    events.jobRanAlone(claimed.job, outcome);
    if (outcome === 'ended' || !hasBegun || signal.aborted) return;
    await ledger.noteLoss(claimed.hold).catch((error: unknown) => events.jobStuck(claimed.job, error));
  };
}

async function runProcess(
  { env, owner, graceMs, metrics, connections }: ProcessLaneOptions,
  { job, hold, begunBefore }: ClaimedJob,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const order: z.input<typeof processOrderSchema> = { jobId: job.id, fence: hold.fence, begunBefore, owner };
  const child = fork(program, [JSON.stringify(order)], {
    env: { ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const name = `${child.pid ?? ''}`;
  let killed = false;
  let hasBegun = false;
  const timers = new Set<NodeJS.Timeout>();
  const killAfter = (delayMs: number): void => {
    for (const timer of timers) clearTimeout(timer);
    timers.add(
      setTimeout(() => {
        killed = true;
        child.kill('SIGKILL');
      }, delayMs),
    );
  };
  const interrupt = (): void => {
    const reason: unknown = signal.reason;
    send(child, { interrupt: reason instanceof Interruption ? reason.why : 'lost' });
    killAfter(graceMs);
  };
  child.on('message', (message) => {
    const report = processReportSchema.safeParse(message);
    if (!report.success) return;
    if ('counted' in report.data) return metrics.add(report.data.counted);
    if ('connections' in report.data) return connections.hear(name, report.data.connections.map(healthOf));
    hasBegun = true;
    if (!signal.aborted) killAfter(report.data.timeoutSeconds * 1_000 + 2 * graceMs);
  });
  signal.addEventListener('abort', interrupt, { once: true });
  killAfter(startLimitMs);
  try {
    const code = await exitOf(child);
    if (code === 0) return { outcome: 'ended', hasBegun };
    return { outcome: killed ? 'killed' : 'died', hasBegun };
  } catch {
    // It could not be started.
    return { outcome: 'died', hasBegun };
  } finally {
    signal.removeEventListener('abort', interrupt);
    for (const timer of timers) clearTimeout(timer);
    connections.hear(name, undefined);
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  // What it reported last may still be in the channel.
  if (child.connected) await once(child, 'disconnect');
  return code;
}

type Reported = Extract<z.infer<typeof processReportSchema>, { connections: unknown }>['connections'][number];

function healthOf({ nextAttemptAt, lastSuccessAt, lastFailure, ...state }: Reported): ConnectionHealth {
  return { ...state, nextAttemptAt, lastSuccessAt, lastFailure };
}

function send(child: ChildProcess, message: z.input<typeof processInterruptSchema>): void {
  // It may have ended already.
  if (child.connected) child.send(message, () => {});
}
