import { topics } from '@waybill/contracts/messages/topics';
import { countStuckEvents, type StuckCount } from '@waybill/outbox/stuck-events';
import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Reports the events of all topics that were set aside, in a service that consumes events. */
export function reportStuckEvents({ db, metrics }: { db: Database; metrics: Metrics }): void {
  const describe = (name: `waybill_${string}`, help: string, valueOf: (stuck: StuckCount) => number): void => {
    metrics.gauge({
      name,
      help,
      labels: ['topic'],
      collect: async (gauge) => {
        const stuck = await countStuckEvents(db);
        for (const topic of Object.keys(topics)) {
          const found = stuck.find((one) => one.topic === topic);
          gauge.set({ topic }, found ? valueOf(found) : 0);
        }
      },
    });
  };
  describe('waybill_outbox_stuck_events', 'Events that were set aside after 20 attempts', ({ count }) => count);
  describe(
    'waybill_outbox_stuck_oldest_seconds',
    'Age of the oldest event that was set aside; 0 without such events',
    ({ oldestSeconds }) => oldestSeconds,
  );
}
