import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { countReplays, removeBodies } from '../adapters/deliveries/replay-store.ts';
import type { Duty } from '../worker/duties.ts';

/** Bodies that one statement removes. */
const atATime = 1_000;

/** Removes the bodies of webhooks after so many days, and reports the replays that wait for a worker. */
export function removingWebhookBodies(options: {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly keptDays: number;
  readonly intervalMs: number;
}): Duty {
  const { db, metrics, keptDays, intervalMs } = options;
  metrics.gauge({
    name: 'waybill_webhook_replays_pending',
    help: 'Replays of webhooks that no worker has carried out yet',
    collect: async (gauge) => gauge.set(await countReplays(db)),
  });
  const removed = metrics.counter({
    name: 'waybill_webhook_bodies_removed_total',
    help: 'Bodies of webhooks that were removed after WEBHOOK_BODY_DAYS',
  });
  const work = async (): Promise<void> => {
    for (let count = atATime; count === atATime;) {
      count = await removeBodies(db, keptDays, atATime);
      removed.inc(count);
    }
  };
  return { name: 'remove bodies of webhooks', intervalMs, work };
}
