import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Configurations } from '../../domain/administration/configurations.ts';

/** A request that works at the configuration as a whole. */
export interface TurnRequest {
  readonly kind: keyof Configurations;
  readonly user: string;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Runs work of a request when it is its turn. `stop` is aborted when the result is no longer wanted, or when a read has to give way: it
 * gets another turn, and runs again from the beginning.
 * @throws CodedError `too_many_requests`; the reason of the signal for a request whose client has gone before its turn
 */
export type ConfigurationTurns = <T>(request: TurnRequest, work: (stop: AbortSignal) => Promise<T>) => Promise<T>;

/** How many changes may wait, and as many reads. */
export interface TurnLimits {
  readonly ofUser: number;
  readonly inAll: number;
}

/** The order of those that wait. Those of the same rank wait in the order in which they came. */
const ranks = { apply: 0, plan: 1, validate: 2, export: 2 } as const satisfies Record<keyof Configurations, number>;

/** How long a refused client is asked to wait. */
const retrySeconds = 5;

interface Turn extends TurnRequest {
  /** Aborted when a read gives way to a change. */
  readonly interruption: AbortController;
  readonly begin: () => void;
}

/**
 * One piece of work at a time, because each may take much memory. Changes (plans and applies) come before reads (checks and exports),
 * which give way to them, and after a request of a user comes one of another user, if one waits.
 */
export function createConfigurationTurns(limits: TurnLimits): ConfigurationTurns {
  const waiting: Turn[] = [];
  let running: Turn | undefined;
  let lastUser = '';
  const startNext = (): void => {
    if (running) {
      if (isRead(running) && !waiting.every(isRead)) running.interruption.abort();
      return;
    }
    const next = nextOf(waiting, lastUser);
    if (!next) return;
    remove(waiting, next);
    [running, lastUser] = [next, next.user];
    next.begin();
  };
  const awaitTurn = async (request: TurnRequest, place: 'first' | 'last'): Promise<Turn> => {
    request.signal.throwIfAborted();
    const begun = Promise.withResolvers<void>();
    const turn: Turn = { ...request, interruption: new AbortController(), begin: begun.resolve };
    waiting.splice(place === 'first' ? 0 : waiting.length, 0, turn);
    startNext();
    await unlessGone(begun, request.signal, () => remove(waiting, turn));
    return turn;
  };
  const run: <T>(turn: Turn, work: (stop: AbortSignal) => Promise<T>) => Promise<T> = async (turn, work) => {
    const { signal, interruption } = turn;
    try {
      return await work(isRead(turn) ? AbortSignal.any([signal, interruption.signal]) : new AbortController().signal);
    } catch (error) {
      if (!interruption.signal.aborted) throw error;
    } finally {
      running = undefined;
      startNext();
    }
    return await run(await awaitTurn(turn, 'first'), work);
  };
  return async (request, work) => {
    refuseTooMany(waiting, request, limits);
    return await run(await awaitTurn(request, 'last'), work);
  };
}

/** Waits for what has to come while the client is there. @throws the reason of the signal */
async function unlessGone(coming: PromiseWithResolvers<void>, signal: AbortSignal, leave: () => void): Promise<void> {
  const goAway = (): void => {
    leave();
    coming.reject(signal.reason);
  };
  signal.addEventListener('abort', goAway, { once: true });
  try {
    await coming.promise;
  } finally {
    signal.removeEventListener('abort', goAway);
  }
}

function remove(waiting: Turn[], turn: Turn): void {
  const index = waiting.indexOf(turn);
  if (index >= 0) waiting.splice(index, 1);
}

function isRead({ kind }: TurnRequest): boolean {
  return kind === 'validate' || kind === 'export';
}

function nextOf(waiting: readonly Turn[], lastUser: string): Turn | undefined {
  const rank = Math.min(...waiting.map(({ kind }) => ranks[kind]));
  const first = waiting.filter(({ kind }) => ranks[kind] === rank);
  return first.find(({ user }) => user !== lastUser) ?? first[0];
}

function refuseTooMany(waiting: readonly Turn[], request: TurnRequest, { ofUser, inAll }: TurnLimits): void {
  const alike = waiting.filter((turn) => isRead(turn) === isRead(request));
  const own = alike.filter(({ user }) => user === request.user);
  if (own.length < ofUser && alike.length < inAll) return;
  const what = isRead(request) ? 'checks and exports' : 'plans and applies';
  const who = own.length < ofUser ? '' : ' of yours';
  const count = own.length < ofUser ? alike.length : own.length;
  const detail = `${count} other ${what}${who} are waiting: try again in ${retrySeconds} seconds`;
  throw new CodedError('too_many_requests', { detail, names: { retryAfterSeconds: String(retrySeconds) } });
}
