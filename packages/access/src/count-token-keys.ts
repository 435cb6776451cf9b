import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/**
 * Counts good tokens by the key that signed them, so that an operator sees when tokens of a retired key are no
 * longer used. There are only as many label values as keys: ids that no issuer has published are not counted.
 */
export function countTokenKeys(metrics: Pick<Metrics, 'counter'>): (kid: string) => void {
  const verifications = metrics.counter({
    name: 'waybill_token_verifications_total',
    help: 'Access tokens that were accepted, by the id of the key that signed them',
    labels: ['kid'],
  });
  return (kid) => verifications.inc({ kid });
}
