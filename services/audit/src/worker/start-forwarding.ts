import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import type { DestinationGuard } from '@waybill/outbound/address/destination-guard';
import { createCircuitBreaker } from '@waybill/outbound/limits/circuit-breaker';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { ForwardSettings } from '../adapters/forwarding/forward-settings.ts';
import { createKnexForwardPositions } from '../adapters/forwarding/knex-forward-positions.ts';
import { createSyslogDestination } from '../adapters/forwarding/syslog-destination.ts';
import { createWebhookDestination } from '../adapters/forwarding/webhook-destination.ts';
import { type ForwardParts, forwardRecords, type ForwardTimes } from '../domain/forwarding/forward-records.ts';
import { withFailureRecords } from '../domain/forwarding/record-failures.ts';
import type { WriterIdentity } from '../domain/log/log-events.ts';
import { createForwardEvents } from '../forward-events.ts';

/** A delivery ends well before another process may take its destination. */
const heldSeconds = 30;
const leftSeconds = 25;
const times = { pollMs: 1_000, deliveryMs: 20_000, retryMs: 5_000 } as const;
const firstPauseMs = 1_000;

/** The destinations of the configuration. Disposing of it ends their deliveries. */
export interface ForwardedLog extends AsyncDisposable {
  /** There are new records. */
  wake(): void;
}

/** What is forwarded, where and how. */
export interface ForwardingOptions {
  readonly db: Database;
  readonly log: ForwardParts['log'];
  readonly destinations: readonly ForwardSettings[];
  /** The time for which records are collected. */
  readonly intervalMs: number;
  /** The longest pause between two attempts at a destination that fails. */
  readonly retryMs: number;
  /** A destination that has failed for this time is recorded. */
  readonly alertMs: number;
  readonly identity: WriterIdentity;
  /** Every connection goes to an address that the operator allows. */
  readonly guard: DestinationGuard;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Begins to forward records. A destination that fails concerns neither the writer nor the others. */
export function startForwarding(options: ForwardingOptions): ForwardedLog {
  const { db, log, destinations, intervalMs, retryMs, alertMs, identity, guard, logger, metrics } = options;
  const stack = new AsyncDisposableStack();
  const reportsOf = createForwardEvents(logger, metrics);
  const positions = createKnexForwardPositions(db, { heldSeconds, leftSeconds });
  const forwardTimes: ForwardTimes = { ...times, intervalMs, retryMs: Math.min(retryMs, times.retryMs) };
  const limits = { failuresAtMost: 1, pauseMs: Math.min(firstPauseMs, retryMs), longestPauseMs: retryMs };
  // Through the outbox, as an event of another service: what forwards need not be what writes.
  const append = (payload: AuditEvent) => appendToOutbox(db, [{ topic: 'audit-event', payload }]);
  const all = destinations.map((settings) => {
    const destination =
      settings.kind === 'syslog'
        ? createSyslogDestination(settings, guard)
        : stack.use(createWebhookDestination(settings, guard));
    const breaker = createCircuitBreaker(settings.name, limits);
    const recording = { destination: settings.name, identity, alertMs, append };
    const reports = withFailureRecords(reportsOf(settings.name), recording);
    return stack.use(forwardRecords(destination, { log, positions, breaker, times: forwardTimes, reports }));
  });
  return {
    wake: () => {
      for (const forwarding of all) forwarding.wake();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
