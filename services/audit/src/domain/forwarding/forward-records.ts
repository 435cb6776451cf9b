import { setTimeout as delay } from 'node:timers/promises';
import type { CircuitBreaker } from '@waybill/outbound/limits/circuit-breaker';
import type { StoredLog } from '../reading/log-reader.ts';
import type { StoredRecord } from '../records/log-record.ts';
import type { Delivery, Destination, ForwardPositions, ForwardState } from './destination.ts';

/** What is reported of a destination. */
export interface ForwardReports {
  /** This process forwards to the destination. */
  held(state: ForwardState): void;
  /** Another process does. */
  notHeld(): void;
  delivered(delivery: Delivery): void | Promise<void>;
  failed(error: unknown): void | Promise<void>;
  /** Records were archived before they could be forwarded. */
  skipped(first: number, last: number): void;
  /** The log ends before what was forwarded: the database was set back. */
  setBack(position: number, size: number): void;
}

/** The times of a destination in milliseconds. */
export interface ForwardTimes {
  /** The least time between two deliveries, unless more records are waiting than one delivery takes. */
  readonly intervalMs: number;
  /** How often the log is asked for records of other processes. */
  readonly pollMs: number;
  /** The most that a delivery may take: less than a destination is held. */
  readonly deliveryMs: number;
  /** The pause after a failure on this side. */
  readonly retryMs: number;
}

/** What forwarding needs. */
export interface ForwardParts {
  readonly log: Pick<StoredLog, 'readRecords'>;
  readonly positions: ForwardPositions;
  readonly breaker: CircuitBreaker;
  readonly times: ForwardTimes;
  readonly reports: ForwardReports;
}

/** Forwarding to one destination. Disposing of it ends a delivery that is under way. */
export interface Forwarding extends AsyncDisposable {
  /** There are new records. */
  wake(): void;
}

const recordsAtMost = 2_000;

/**
 * Forwards records to a destination in their order, each at least once. It reads what it sends from the log: however far a
 * destination is behind, it costs no memory, and neither the writer nor another destination waits for it.
 */
export function forwardRecords(destination: Destination, parts: ForwardParts): Forwarding {
  const { positions, times, reports } = parts;
  const stop = new AbortController();
  const { signal } = stop;
  let woken = Promise.withResolvers<void>();
  const pause = (ms: number): Promise<unknown> => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      woken = Promise.withResolvers<void>();
      try {
        const waitMs = await forwardNext(destination, { ...parts, signal });
        if (waitMs === 'new records') await Promise.race([woken.promise, pause(times.pollMs)]);
        else await pause(waitMs);
      } catch (error) {
        if (signal.aborted) break;
        await reports.failed(error);
        // In parts, so that the destination stays held; a failure on this side does not open the breaker.
        await pause(Math.min(parts.breaker.pauseMs || times.retryMs, times.retryMs));
      }
    }
    await positions.release(destination.name).catch(() => {});
  };
  const running = run();
  return {
    wake: () => woken.resolve(),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      woken.resolve();
      await running;
    },
  };
}

/** Delivers once, if that is possible. Returns how long to wait before the next time. */
async function forwardNext(
  destination: Destination,
  parts: ForwardParts & { readonly signal: AbortSignal },
): Promise<number | 'new records'> {
  const { positions, breaker, times, reports, signal } = parts;
  const state = await positions.hold(destination);
  if (!state) {
    reports.notHeld();
    return times.retryMs;
  }
  reports.held(state);
  const moved = await moveToLog(destination.name, state, parts);
  if (moved) return 0;
  const { position, size } = state;
  if (position >= size) return 'new records';
  if (breaker.pauseMs > 0) return Math.min(breaker.pauseMs, times.retryMs);
  const records = await readNext(parts.log, { first: position + 1, last: Math.min(size, position + recordsAtMost) });
  // They were archived a moment ago.
  if (records[0]?.sequence !== position + 1) return times.pollMs;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(times.deliveryMs)]);
  const delivery = await breaker.attempt(() => destination.deliver(records, limit));
  await positions.move(destination.name, { from: position, to: position + delivery.records });
  await reports.delivered(delivery);
  return position + delivery.records < size ? 0 : times.intervalMs;
}

/** Corrects a position that the log does not have. */
async function moveToLog(
  name: string,
  { position, size, first }: ForwardState,
  { positions, reports }: ForwardParts,
): Promise<boolean> {
  if (position > size) {
    await positions.move(name, { from: position, to: size });
    reports.setBack(position, size);
    return true;
  }
  if (position + 1 >= first) return false;
  await positions.move(name, { from: position, to: first - 1 });
  reports.skipped(position + 1, first - 1);
  return true;
}

async function readNext(
  log: ForwardParts['log'],
  range: { readonly first: number; readonly last: number },
): Promise<readonly StoredRecord[]> {
  for await (const records of log.readRecords(range)) return records;
  return [];
}
