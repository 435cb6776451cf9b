import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from '@waybill/postgres/database';
import type { CheckedRange, RecordRange } from '../../domain/verification/log-source.ts';
import type { RecordBefore } from '../../domain/verification/record-check.ts';
import { checkRangesHere, type RangeChecker } from './knex-log-source.ts';

/** What a thread needs to connect. */
export interface CheckThreadOptions {
  readonly url: string;
  readonly applicationName: string;
}

/** What a thread is to check. */
export interface CheckThreadTask {
  readonly range: RecordRange;
  readonly start: RecordBefore | undefined;
}

/** What a thread answers. */
export type CheckThreadAnswer = { readonly range: CheckedRange } | { readonly failure: string };

/** The number of threads; each has a connection. */
export const checkThreads = 2;

/** A log of fewer ranges is checked in this thread, before others could have started. */
const fewRanges = 8;

/** Checks ranges in threads of their own, which end with the verification. */
export function checkInThreads(db: Database, options: CheckThreadOptions): RangeChecker {
  return async function* check(ranges, signal, start): AsyncGenerator<CheckedRange> {
    if (ranges.length < fewRanges) {
      yield* checkRangesHere(db)(ranges, signal, start);
      return;
    }
    await using cleanUp = new AsyncDisposableStack();
    const threads = Array.from({ length: checkThreads }, () => cleanUp.use(startThread(options)));
    const abort = (): void => void cleanUp.disposeAsync();
    signal.addEventListener('abort', abort, { once: true });
    cleanUp.defer(() => signal.removeEventListener('abort', abort));
    // Each thread has two ranges, so that it reads one while the other is checked.
    const running: Promise<CheckedRange>[] = [];
    for (const [index, range] of ranges.entries()) {
      signal.throwIfAborted();
      const checked = threads[index % threads.length]?.check({ range, start });
      if (checked) running.push(checked);
      checked?.catch(() => {});
      if (running.length >= checkThreads * 2) yield await nextOf(running, signal);
    }
    while (running.length > 0) yield await nextOf(running, signal);
  };
}

async function nextOf(running: Promise<CheckedRange>[], signal: AbortSignal): Promise<CheckedRange> {
  const next = running.shift();
  if (!next) throw new Error('no range is being checked');
  try {
    return await next;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

interface CheckThread extends AsyncDisposable {
  check(task: CheckThreadTask): Promise<CheckedRange>;
}

function startThread(options: CheckThreadOptions): CheckThread {
  const worker = new Worker(new URL('check-thread.ts', import.meta.url), { workerData: options, env: {} });
  const waiting: PromiseWithResolvers<CheckedRange>[] = [];
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (answer: CheckThreadAnswer) => {
    const asked = waiting.shift();
    if ('range' in answer) asked?.resolve(answer.range);
    else asked?.reject(new Error(answer.failure));
  });
  worker.on('error', failAll);
  worker.on('exit', () => failAll(new Error('A thread of the verification has ended')));
  return {
    check: (task) => {
      const asked = Promise.withResolvers<CheckedRange>();
      waiting.push(asked);
      worker.postMessage(task);
      return asked.promise;
    },
    [Symbol.asyncDispose]: async () => {
      if (worker.threadId === -1) return;
      const exited = once(worker, 'exit');
      await worker.terminate();
      await exited;
    },
  };
}
