import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { Caller } from './exchange.ts';

/** The entry of one request in the access log. */
export interface AnsweredRequest {
  readonly method: string;
  /** Without its query, which may hold personal values. */
  readonly path: string;
  readonly endpoint: EndpointContract | undefined;
  readonly status: number;
  /** False when the client went away before the last byte. */
  readonly complete: boolean;
  readonly durationMs: number;
  readonly clientAddress: string;
  readonly caller: Caller;
}

/** The HTTP events of a service, as log lines and metrics. */
export interface HttpEvents {
  requestStarted(): void;
  requestAnswered(request: AnsweredRequest): void;
  /** An unexpected error: a bug. */
  requestFailed(error: unknown): void;
  /** A dependency did not answer. */
  dependencyFailed(error: unknown): void;
}

/** Writes log lines to `logger`, and counts and durations to `metrics`. */
export function createHttpEvents(logger: Logger, metrics: Metrics): HttpEvents {
  const inFlight = metrics.gauge({ name: 'waybill_http_requests_in_flight', help: 'Requests in progress' });
  const duration = metrics.histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Time from the headers of a request to the last byte of its response',
    labels: ['endpoint', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
  });
  return {
    requestStarted: () => inFlight.inc(),
    requestAnswered: ({ endpoint, caller, ...line }) => {
      inFlight.dec();
      const labels = {
        endpoint: endpoint?.id ?? 'none',
        method: endpoint?.method ?? 'other',
        status: String(line.status),
      };
      duration.observe(labels, line.durationMs / 1_000);
      const level = line.path.startsWith('/health/') || line.path === '/metrics' ? 'debug' : 'info';
      logger[level]({ ...caller, ...line, durationMs: Math.round(line.durationMs), endpoint: endpoint?.id }, 'request');
    },
    requestFailed: (error) => logger.error({ err: error }, 'request failed unexpectedly'),
    dependencyFailed: (error) => logger.warn({ err: error }, 'request failed: a dependency did not answer'),
  };
}
