import { setTimeout as delay } from 'node:timers/promises';
import type { AcceptedAnchors, Anchor, AnchoredHead, AnchoredState } from './anchor.ts';
import { type AnchoredLog, exchangeCheckpoint } from './exchange-checkpoint.ts';

/** What is reported of an anchor. */
export interface AnchorReports {
  failed(error: unknown): Promise<void>;
  /** The anchor has a checkpoint of this size, and the log continues it. */
  stored(size: number): Promise<void>;
  contradicted(sentence: string): void;
  /** The log contradicts what the anchor remembers, which an operator has accepted. */
  accepted(accepted: AcceptedAnchors, found: AnchoredState, head: AnchoredHead): Promise<void>;
}

/** The times of an anchor in milliseconds. */
export interface AnchorTimes {
  /** The least time between two checkpoints. */
  readonly intervalMs: number;
  /** An anchor that has nothing to store is read after this time. */
  readonly idleMs: number;
  /** The most that a request may take. */
  readonly timeoutMs: number;
  /** The longest time between attempts. */
  readonly backoffMs: number;
}

/** An anchor that gets the newest checkpoint, again and again. */
export interface KeptAnchor extends AsyncDisposable {
  readonly name: string;
  /** What it remembered when it was last read; `undefined` if that is nothing, or if it could not be read. */
  readonly found: AnchoredState | undefined;
  readonly contradiction: string | undefined;
  /** Reads the anchor once. @throws Error if that is not possible */
  look(): Promise<void>;
  /** Begins to store checkpoints. */
  start(): void;
  /** A new checkpoint was signed. */
  wake(): void;
}

/** Keeps an anchor. Failures and waits concern this anchor only. */
export function keepAnchor(
  anchor: Anchor,
  parts: {
    readonly log: AnchoredLog;
    readonly times: AnchorTimes;
    readonly reports: AnchorReports;
    readAccepted(): Promise<AcceptedAnchors | undefined>;
  },
): KeptAnchor {
  const { log, times, reports, readAccepted } = parts;
  const stop = new AbortController();
  const signal = (): AbortSignal => AbortSignal.any([stop.signal, AbortSignal.timeout(times.timeoutMs)]);
  let found: AnchoredState | undefined;
  let contradiction: string | undefined;
  const onAccepted: AnchorReports['accepted'] = async (...decision) => {
    // Before it is recorded, which is possible only without a contradiction.
    contradiction = undefined;
    await reports.accepted(...decision);
  };
  const exchange = async (): Promise<void> => {
    ({ found, contradiction } = await exchangeCheckpoint(anchor, { log, readAccepted, onAccepted, signal }));
    if (contradiction === undefined) await reports.stored(found?.size ?? 0);
    else reports.contradicted(contradiction);
  };
  const loop = createLoop({ work: exchange, isDone: () => contradiction === undefined }, times, {
    stop: stop.signal,
    failed: reports.failed,
  });
  return {
    name: anchor.name,
    get found() {
      return found;
    },
    get contradiction() {
      return contradiction;
    },
    look: async () => {
      found = await anchor.read(await log.readHead(), signal());
    },
    start: loop.start,
    wake: loop.wake,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await loop.ended();
    },
  };
}

/** Repeats work: when it is woken, after failures with growing pauses, and now and then. */
function createLoop(
  { work, isDone }: { work(): Promise<void>; isDone(): boolean },
  { intervalMs, idleMs, backoffMs }: AnchorTimes,
  { stop, failed }: { stop: AbortSignal; failed: AnchorReports['failed'] },
) {
  const pause = (ms: number): Promise<unknown> =>
    delay(ms, undefined, { signal: stop, ref: false }).catch(() => undefined);
  let woken = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (let failures = 0; !stop.aborted;) {
      woken = Promise.withResolvers<void>();
      try {
        await work();
        failures = 0;
      } catch (error) {
        if (stop.aborted) return;
        failures += 1;
        await failed(error);
      }
      await pause(Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, backoffMs)));
      if (failures === 0 && isDone()) await Promise.race([woken.promise, pause(idleMs)]);
    }
  };
  return {
    start: (): void => {
      running ??= run();
    },
    wake: (): void => woken.resolve(),
    ended: async (): Promise<void> => {
      woken.resolve();
      await running;
    },
  };
}
