import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';

/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** Failed attempts in a row after which the other side is left alone. */
  readonly failuresAtMost: number;
  /** The first pause; each further one is twice as long. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

/** The limits of all connections. */
export const breakerLimits: BreakerLimits = { failuresAtMost: 3, pauseMs: 30_000, longestPauseMs: 600_000 };

/** Protects workers from a dead partner, and a partner from login attempts that fail again and again. */
export interface CircuitBreaker {
  /**
   * Runs an attempt to connect. While the other side is left alone, it fails at once; after each pause, one attempt probes
   * it, and all others still fail.
   * @throws CodedError `connection_suspended`; errors of the attempt
   */
  attempt<T>(connect: () => Promise<T>): Promise<T>;
  readonly isOpen: boolean;
  /** Milliseconds until the next attempt is possible; 0 if it is possible now. */
  readonly pauseMs: number;
}

/** A breaker for the connection of this name. `now`: milliseconds on a clock that never goes back. */
export function createCircuitBreaker(
  name: string,
  limits: BreakerLimits = breakerLimits,
  now: () => number = () => performance.now(),
): CircuitBreaker {
  let failures = 0;
  let openUntil: number | undefined;
  let isProbing = false;

  const refuseWhileOpen = (): void => {
    if (openUntil === undefined) return;
    const seconds = Math.ceil((openUntil - now()) / 1_000);
    if (seconds <= 0 && !isProbing) return;
    const next = seconds > 0 ? `the next attempt is possible in ${seconds} s` : 'an attempt is under way';
    throw new CodedError('connection_suspended', {
      detail: `The connection ${name} has failed ${failures} times in a row and is left alone: ${next}`,
    });
  };
  const noteFailure = (): void => {
    failures += 1;
    if (failures < limits.failuresAtMost) return;
    const doublings = Math.min(failures - limits.failuresAtMost, 30);
    openUntil = now() + Math.min(limits.pauseMs * 2 ** doublings, limits.longestPauseMs);
  };

  return {
    attempt: async (connect) => {
      refuseWhileOpen();
      const probes = openUntil !== undefined;
      if (probes) isProbing = true;
      try {
        const connected = await connect();
        failures = 0;
        openUntil = undefined;
        return connected;
      } catch (error) {
        // An abort, or a refusal on this side, says nothing of the other side.
        if (isCodedError(error, 'connection_failed', 'remote_refused')) noteFailure();
        throw error;
      } finally {
        if (probes) isProbing = false;
      }
    },
    get isOpen() {
      return openUntil !== undefined;
    },
    get pauseMs() {
      return Math.max(0, (openUntil ?? 0) - now());
    },
  };
}

/** No breaker: for callers that have one around a whole attempt, and not only around the connection. */
export const noBreaker: CircuitBreaker = { attempt: (connect) => connect(), isOpen: false, pauseMs: 0 };
