import { setTimeout as delay } from 'node:timers/promises';
import { mergeSnapshots, type MetricsSnapshot } from '@waybill/service-kit/telemetry/metrics';
import { z } from 'zod';
import type { GatewayEvents } from '../events.ts';
import { SftpProcess } from './sftp-process.ts';

const leastBackOffMs = 250;
const mostBackOffMs = 30_000;
/** A process that has lived for this long was not ended by its start. */
const calmAfterMs = 60_000;

const readinessSchema = z.object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });
const snapshotSchema = z.array(z.looseObject({ type: z.string() }));

/** A slot for one process: when it ends without being asked to, it is replaced. */
export class ProcessSlot {
  readonly #processNumber: number;
  readonly #events: Pick<GatewayEvents, 'processEnded' | 'processSilent'>;
  readonly #stopping = new AbortController();
  #process: SftpProcess | undefined;
  #kept: Promise<void> | undefined;
  /** The last snapshot of the process, for a scrape that it is too busy, or no longer there, to answer. */
  #lastSnapshot: z.infer<typeof snapshotSchema> = [];
  /** The counts of earlier processes of this slot: a counter that went back would look like a burst. */
  #inherited: MetricsSnapshot = [];

  constructor(processNumber: number, events: Pick<GatewayEvents, 'processEnded' | 'processSilent'>) {
    this.#processNumber = processNumber;
    this.#events = events;
  }

  /**
   * Starts the first process and returns its port; rejects if it ends before it serves partners. One that was
   * interrupted is started again, unless the same signal stops this process too.
   */
  async start(): Promise<number> {
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    const process = new SftpProcess(this.#processNumber);
    this.#process = process;
    try {
      const port = await process.ready;
      this.#kept = this.#keep(process);
      return port;
    } catch (error) {
      if (!(await process.ended).isInterrupted) throw error;
    }
    await delay(leastBackOffMs, undefined, { signal });
    return this.start();
  }

  /** Rejects with what the process lacks. */
  async requireReady(): Promise<void> {
    const name = `process ${this.#processNumber}`;
    if (!this.#process?.isServing) throw new Error(`${name} has not started yet`);
    const { ready, checks } = readinessSchema.parse(await this.#process.ask('readiness'));
    if (!ready) throw new Error(`${name}: ${JSON.stringify(checks)}`);
  }

  /** The metrics of all processes that this slot has had. */
  async snapshots(): Promise<MetricsSnapshot[]> {
    try {
      const process = this.#process;
      const snapshot = snapshotSchema.parse(await process?.ask('metrics'));
      if (process === this.#process) this.#lastSnapshot = snapshot;
    } catch (error) {
      this.#events.processSilent(this.#processNumber, error);
    }
    return [this.#inherited, this.#lastSnapshot];
  }

  /** Resolves when the process has drained and ended; rejects if that was not clean. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#process?.stop();
    await (this.#kept ?? this.#process?.ended);
  }

  async #keep(first: SftpProcess): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    for (let process = first; ;) {
      const end = await process.ended;
      if (signal.aborted && !end.isClean) throw new Error(`process ${this.#processNumber} ended by ${end.reason}`);
      if (signal.aborted) return;
      this.#process = undefined;
      await this.#inherit();
      if (performance.now() - process.beganAt > calmAfterMs) failures = 0;
      const backOffMs = Math.min(leastBackOffMs * 2 ** failures, mostBackOffMs);
      failures += 1;
      this.#events.processEnded(this.#processNumber, end.reason, backOffMs);
      await delay(backOffMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      process = new SftpProcess(this.#processNumber);
      this.#process = process;
    }
  }

  async #inherit(): Promise<void> {
    const counted = this.#lastSnapshot.filter(({ type }) => type === 'counter' || type === 'histogram');
    this.#lastSnapshot = [];
    this.#inherited = await mergeSnapshots([this.#inherited, counted]).snapshot();
  }
}
