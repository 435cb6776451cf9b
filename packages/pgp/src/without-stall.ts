import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Content, Transformed } from './pgp-settings.ts';

/** How often, and how many times, it is looked for progress. */
const lookMs = 2_500;
const looksAtMost = 4;

/**
 * Fails a transformation in which nothing happens any more, although it does not wait for its input: for some malformed
 * packets inside of an encryption, the library waits for ever. A computation that holds the thread counts as one look.
 * @throws CodedError `decryption_failed`, also from the output
 */
export async function withoutStall(
  content: Content,
  open: (content: Content) => Promise<Transformed>,
  everyMs = lookMs,
): Promise<Transformed> {
  let [isReading, steps] = [false, 0];
  const counted = async function* (): Content {
    const chunks = content[Symbol.asyncIterator]();
    try {
      for (;;) {
        isReading = true;
        const next = await chunks.next();
        isReading = false;
        steps += 1;
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  };
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    const stalled = Promise.withResolvers<never>();
    let [looks, seen] = [0, steps];
    const timer = setInterval(() => {
      looks = isReading || steps !== seen ? 0 : looks + 1;
      seen = steps;
      if (looks < looksAtMost) return;
      stalled.reject(new CodedError('decryption_failed', { detail: 'The file is not a correct PGP message' }));
    }, everyMs);
    try {
      return await Promise.race([work, stalled.promise]);
    } finally {
      clearInterval(timer);
    }
  };
  const { output, result } = await watched(open(counted()));
  const parts = output[Symbol.asyncIterator]();
  const watchedOutput = async function* (): Content {
    for (;;) {
      const next = await watched(parts.next());
      if (next.done === true) return;
      yield next.value;
    }
  };
  return { output: watchedOutput(), result };
}
