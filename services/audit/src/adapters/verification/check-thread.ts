import { parentPort, workerData } from 'node:worker_threads';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { CheckThreadAnswer, CheckThreadOptions, CheckThreadTask } from './check-in-threads.ts';
import { checkStoredRange } from './check-stored-range.ts';

/** A thread that checks the ranges it is sent, in their order. */
const db = connectPostgres({ ...(workerData as CheckThreadOptions), poolSize: 1 });
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', ({ range, start }: CheckThreadTask) => {
  // Starts now: the next range is read while the one before is checked.
  const checked = checkStoredRange(db, range, start);
  checked.catch(() => {});
  before = before.then(async () => answer(checked));
});

async function answer(checked: ReturnType<typeof checkStoredRange>): Promise<void> {
  try {
    const range = await checked;
    send({ range }, range.leafHashes.buffer);
  } catch (error) {
    send({ failure: error instanceof Error ? error.message : 'The records could not be read' });
  }
}

function send(message: CheckThreadAnswer, transferred?: ArrayBufferLike): void {
  parentPort?.postMessage(message, transferred instanceof ArrayBuffer ? [transferred] : []);
}
