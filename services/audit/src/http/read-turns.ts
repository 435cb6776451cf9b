import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Runs reads that may take seconds: a user has few of them at the same time, and connections remain for all else. */
export type ReadTurns = <T>(user: string, read: () => Promise<T>) => Promise<T>;

/** How many reads run at the same time. */
export interface TurnLimits {
  readonly inAll: number;
  readonly ofUser: number;
  /** How many of one user may wait. */
  readonly waiting: number;
}

/** How long a refused client is asked to wait. */
const retrySeconds = 5;

/** Reads that do not run yet wait in their order, but not for those of a user who has enough. They throw `too_many_requests` if too many wait. */
export function createReadTurns({ inAll, ofUser, waiting }: TurnLimits): ReadTurns {
  const running: string[] = [];
  const queue: { readonly user: string; readonly start: () => void }[] = [];
  const countOf = (user: string, of: readonly string[]): number => of.filter((name) => name === user).length;
  const startNext = (): void => {
    const index = queue.findIndex(({ user }) => running.length < inAll && countOf(user, running) < ofUser);
    const [next] = index < 0 ? [] : queue.splice(index, 1);
    if (!next) return;
    running.push(next.user);
    next.start();
  };
  return async (user, read) => {
    const ofSame = countOf(
      user,
      queue.map((one) => one.user),
    );
    if (ofSame >= waiting) {
      const detail = `${waiting} requests of the user are waiting: try again in ${retrySeconds} seconds`;
      throw new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
    }
    const turn = Promise.withResolvers<void>();
    queue.push({ user, start: turn.resolve });
    startNext();
    await turn.promise;
    try {
      return await read();
    } finally {
      running.splice(running.indexOf(user), 1);
      startNext();
    }
  };
}
