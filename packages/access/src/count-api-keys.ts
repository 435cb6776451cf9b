import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** What became of a request with an API key. */
export type ApiKeyOutcome = 'accepted' | 'malformed' | 'unknown' | 'expired' | 'network';

/** Counts requests with API keys by what became of them, so that guesses and expired keys are noticed. */
export function countApiKeys(metrics: Pick<Metrics, 'counter'>): (outcome: ApiKeyOutcome) => void {
  const requests = metrics.counter({
    name: 'waybill_api_key_requests_total',
    help: 'Requests with an API key, by outcome: accepted, malformed, unknown (or revoked), expired, network (another one)',
    labels: ['outcome'],
  });
  return (outcome) => requests.inc({ outcome });
}
