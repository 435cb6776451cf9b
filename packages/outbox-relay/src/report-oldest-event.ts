import { topics } from '@waybill/contracts/messages/topics';
import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Reports the delay of delivery, in one process of a service. */
export function reportOldestEvent({ db, metrics }: { db: Database; metrics: Metrics }): void {
  metrics.gauge({
    name: 'waybill_outbox_oldest_event_seconds',
    help: 'Age of the oldest event that has not taken effect; 0 without such events',
    collect: async (gauge) => gauge.set(await oldestAgeSeconds(db)),
  });
}

async function oldestAgeSeconds(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { age: number }[] }>(
    `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM outbox.events
     WHERE topic = ANY(?)`,
    [Object.keys(topics)],
  );
  return rows[0]?.age ?? 0;
}
