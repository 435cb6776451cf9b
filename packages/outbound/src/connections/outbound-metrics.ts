import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';

/** The state of one client connection in this process. */
export interface ConnectionState {
  readonly name: string;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
  readonly isOpen: boolean;
}

/** Counts attempts to connect. */
export type CountAttempts = (name: string, breaker: CircuitBreaker) => CircuitBreaker;

/** Reports the health of client connections: their use, what waits, failed attempts and open circuits. */
export function reportOutbound(metrics: Metrics, states: () => readonly ConnectionState[]): CountAttempts {
  metrics.gauge({
    name: 'waybill_outbound_connections',
    help: 'Client connections of this process that are in use, kept for the next use, or waited for by steps',
    labels: ['connection', 'state'],
    collect: (gauge) => {
      gauge.reset();
      for (const { name: connection, inUse, idle, waiting } of states()) {
        gauge.set({ connection, state: 'in_use' }, inUse);
        gauge.set({ connection, state: 'idle' }, idle);
        gauge.set({ connection, state: 'waiting' }, waiting);
      }
    },
  });
  metrics.gauge({
    name: 'waybill_outbound_suspended',
    help: '1 while the other side of a client connection is left alone because it has failed repeatedly',
    labels: ['connection'],
    collect: (gauge) => {
      gauge.reset();
      for (const { name: connection, isOpen } of states()) gauge.set({ connection }, isOpen ? 1 : 0);
    },
  });
  const attempts = metrics.counter({
    name: 'waybill_outbound_attempts_total',
    help: 'Attempts to reach the other side of a client connection (of http and s3: requests), with those that were not made while it is left alone',
    labels: ['connection', 'outcome'],
  });
  return (connection, breaker) => ({
    get isOpen() {
      return breaker.isOpen;
    },
    get pauseMs() {
      return breaker.pauseMs;
    },
    attempt: async (connect) => {
      let outcome = 'suspended';
      try {
        return await breaker.attempt(async () => {
          outcome = 'failed';
          const connected = await connect();
          outcome = 'connected';
          return connected;
        });
      } finally {
        attempts.inc({ connection, outcome });
      }
    },
  });
}
