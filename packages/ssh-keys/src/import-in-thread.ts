import { Worker } from 'node:worker_threads';
import type { KeyImport } from './import-ssh-key.ts';
import { KeyRefusal } from './key-refusal.ts';
import type { SshKeyPair } from './openssh-format.ts';
import { assertUnlockedQuickly } from './unlock-cost.ts';

/** What the thread gets. */
export interface ImportOrder {
  readonly text: string;
  readonly options: KeyImport;
}

/** What the thread answers. */
export type ImportAnswer =
  | { readonly pair: SshKeyPair }
  | { readonly reason: string; readonly about: KeyRefusal['about'] };

/** An RSA key of 16384 bits, or 100 rounds of bcrypt, need a part of it. */
const secondsAtMost = 60;
const heapMegabytes = 64;

/**
 * The same as `importSshKey` for a service: a key whose passphrase takes long to check is refused at once, and the others are read in a
 * thread, which is ended if it takes too long or too much memory. @throws KeyRefusal
 */
export async function importInThread(text: string, options: KeyImport): Promise<SshKeyPair> {
  assertUnlockedQuickly(text);
  const order: ImportOrder = { text, options };
  const thread = new Worker(new URL('import-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
    execArgv: [],
    env: {},
  });
  const answered = Promise.withResolvers<ImportAnswer>();
  const giveUp = (reason: string) => answered.resolve({ reason, about: 'privateKey' });
  thread.on('message', answered.resolve);
  thread.on('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? giveUp('takes too much memory to read') : answered.reject(error),
  );
  thread.on('exit', () => giveUp('cannot be read'));
  const timer = setTimeout(() => giveUp(`takes more than ${secondsAtMost} s to read`), secondsAtMost * 1_000);
  try {
    const answer = await answered.promise;
    if ('pair' in answer) return answer.pair;
    throw new KeyRefusal(answer.reason, answer.about);
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
