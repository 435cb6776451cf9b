import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Runs work that takes a processor for seconds: one piece at a time. */
export type KeyTurns = <T>(work: () => Promise<T>) => Promise<T>;

/** How long a refused client is asked to wait. */
const retrySeconds = 5;

/** The others wait in their order; those who find `waitingAtMost` before them are refused with `too_many_requests`. */
export function createKeyTurns(waitingAtMost: number): KeyTurns {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async (work) => {
    if (count > waitingAtMost) {
      const detail = `${waitingAtMost} other SSH keys are waiting: try again in ${retrySeconds} seconds`;
      throw new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
    }
    count += 1;
    const result = last.then(work);
    last = result.catch(() => {});
    try {
      return await result;
    } finally {
      count -= 1;
    }
  };
}
