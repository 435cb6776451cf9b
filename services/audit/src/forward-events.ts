import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { ForwardState } from './domain/forwarding/destination.ts';
import type { ForwardReports } from './domain/forwarding/forward-records.ts';

/** The logs and metrics of forwarding, for each destination. */
export function createForwardEvents(logger: Logger, metrics: Metrics): (destination: string) => ForwardReports {
  // Of the destinations that this process forwards to: the others are reported by the processes that do.
  const states = new Map<string, ForwardState>();
  describeStates(metrics, states);
  const counter = (name: `waybill_${string}`, help: string) => metrics.counter({ name, help, labels: ['destination'] });
  const forwarded = counter('waybill_audit_forwarded_records_total', 'Records that a destination has confirmed');
  const shortened = counter(
    'waybill_audit_forward_shortened_total',
    'Records that were too large for a destination, and were shortened',
  );
  const skipped = counter(
    'waybill_audit_forward_skipped_total',
    'Records that were archived before they could be forwarded',
  );
  const failures = counter('waybill_audit_forward_failures_total', 'Deliveries of records that failed');
  return (destination) => ({
    held: (state) => void states.set(destination, state),
    notHeld: () => void states.delete(destination),
    delivered: (delivery) => {
      forwarded.inc({ destination }, delivery.records);
      shortened.inc({ destination }, delivery.shortened);
      const state = states.get(destination);
      if (state) states.set(destination, withDelivered(state, delivery.records));
    },
    failed: (error) => {
      failures.inc({ destination });
      logger.warn({ destination, err: error }, 'audit records could not be forwarded');
    },
    skipped: (first, last) => {
      skipped.inc({ destination }, last - first + 1);
      logger.error(
        { destination, first, last },
        'audit records were archived before they could be forwarded: they are in the archive files only',
      );
    },
    setBack: (position, size) => {
      logger.error(
        { destination, position, size },
        'the audit log ends before what was forwarded: forwarding continues at its end',
      );
    },
  });
}

function withDelivered(state: ForwardState, records: number): ForwardState {
  const position = state.position + records;
  // The time of the next one is read before the next delivery.
  return { ...state, position, oldestMs: position < state.size ? state.oldestMs : undefined };
}

function describeStates(metrics: Metrics, states: ReadonlyMap<string, ForwardState>): void {
  const describe = (name: `waybill_${string}`, help: string, valueOf: (state: ForwardState) => number): void => {
    metrics.gauge({
      name,
      help,
      labels: ['destination'],
      collect: (gauge) => {
        gauge.reset();
        for (const [destination, state] of states) gauge.set({ destination }, valueOf(state));
      },
    });
  };
  describe('waybill_audit_forward_position', 'Number of the last record that a destination has', (state) =>
    Math.max(0, state.position),
  );
  describe('waybill_audit_forward_lag_records', 'Records that a destination does not have yet', (state) =>
    Math.max(0, state.size - state.position),
  );
  describe('waybill_audit_forward_lag_seconds', 'Age of the oldest record that a destination does not have', (state) =>
    state.oldestMs === undefined ? 0 : Math.max(0, (Date.now() - state.oldestMs) / 1_000),
  );
}
