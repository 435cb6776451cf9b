import { createHash } from 'node:crypto';
import type { Principal } from '@waybill/access/principal';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Authority } from './open-authority.ts';

/** The times of a tolerant authority, in milliseconds. */
export interface OutageTimes {
  /** How long the database may take to tell the rights of a caller. */
  readonly patienceMs?: number;
  /** How old the rights may be that are used without an answer. */
  readonly rememberMs?: number;
}

interface Known {
  readonly principal: Principal;
  readonly at: number;
}

const knownAtMost = 1_000;

/**
 * An authority for what has to be seen while the database does not answer: a caller whose rights were read recently keeps
 * them for that time. A caller whom the database refuses has none at once.
 */
export function tolerateOutage(
  authority: Authority,
  { patienceMs = 1_000, rememberMs = 300_000 }: OutageTimes = {},
): Authority {
  const known = new Map<string, Known>();
  /** Those that wait for the database: nobody asks it twice at a time for the same caller. */
  const asking = new Map<string, Promise<Principal>>();
  const ask = (key: string, token: string, address: string): Promise<Principal> => {
    const asked = asking.get(key) ?? authority.verify(token, address).finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  };
  const remember = (key: string, principal: Principal): void => {
    known.delete(key);
    known.set(key, { principal, at: performance.now() });
    const [oldest] = known.keys();
    if (known.size > knownAtMost && oldest !== undefined) known.delete(oldest);
  };
  return {
    verify: async (token, address) => {
      const key = createHash('sha256').update(`${address} ${token}`).digest('base64');
      try {
        const principal = await inTime(ask(key, token, address), patienceMs);
        remember(key, principal);
        return principal;
      } catch (error) {
        if (isCodedError(error) && error.code !== 'service_unavailable') {
          known.delete(key);
          throw error;
        }
        const last = known.get(key);
        const isFresh = last !== undefined && performance.now() - last.at < rememberMs;
        if (isFresh && (last.principal.expiresAt ?? Infinity) > Date.now()) return last.principal;
        throw new CodedError('service_unavailable', { cause: error });
      }
    },
  };
}

async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new CodedError('service_unavailable')), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
