import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';
import type { ConnectionState } from './outbound-metrics.ts';

/** How a client connection does in this process. */
export interface ConnectionHealth extends ConnectionState {
  /** When the next attempt is possible; `undefined` unless the other side is left alone. */
  readonly nextAttemptAt: Date | undefined;
  /** When an attempt has succeeded last; of http and s3: a request. */
  readonly lastSuccessAt: Date | undefined;
  readonly lastFailure: ConnectionFailure | undefined;
}

/** Why an attempt has failed. */
export interface ConnectionFailure {
  readonly at: Date;
  readonly code: string;
  /** A sentence without secrets. */
  readonly message: string;
}

/** The ends of the attempts of a connection. */
export interface AttemptRecord {
  /** The breaker, whose attempts are noted. */
  readonly breaker: CircuitBreaker;
  /** What is known of them now. */
  read(): Pick<ConnectionHealth, 'nextAttemptAt' | 'lastSuccessAt' | 'lastFailure'>;
}

/** Notes how the attempts of a breaker end. An attempt that is not made, or that this side gives up, changes nothing. */
export function recordAttempts(breaker: CircuitBreaker): AttemptRecord {
  let lastSuccessAt: Date | undefined;
  let lastFailure: ConnectionFailure | undefined;
  return {
    breaker: {
      get isOpen() {
        return breaker.isOpen;
      },
      get pauseMs() {
        return breaker.pauseMs;
      },
      attempt: async (connect) => {
        try {
          const connected = await breaker.attempt(connect);
          lastSuccessAt = new Date();
          return connected;
        } catch (error) {
          if (isCodedError(error, 'connection_failed', 'remote_refused')) {
            lastFailure = { at: new Date(), code: error.code, message: error.message };
          }
          throw error;
        }
      },
    },
    read: () => ({
      lastSuccessAt,
      lastFailure,
      nextAttemptAt: breaker.isOpen ? new Date(Date.now() + breaker.pauseMs) : undefined,
    }),
  };
}
