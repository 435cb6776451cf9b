import { parentPort, workerData } from 'node:worker_threads';
import type { ImportAnswer, ImportOrder } from './import-in-thread.ts';
import { importSshKey } from './import-ssh-key.ts';
import { KeyRefusal } from './key-refusal.ts';

/** Imports one key, and answers with it or with the reason why it is refused. */
function answerOf({ text, options }: ImportOrder): ImportAnswer {
  try {
    return { pair: importSshKey(text, options) };
  } catch (error) {
    if (error instanceof KeyRefusal) return { reason: error.reason, about: error.about };
    throw error;
  }
}

parentPort?.postMessage(answerOf(workerData as ImportOrder));
