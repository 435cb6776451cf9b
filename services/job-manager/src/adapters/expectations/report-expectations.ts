import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

const openStates = ['pending', 'missed', 'late', 'unexpected'] as const;

/** Reports how many states of expectations are open: pending, or to be acknowledged. */
export function reportExpectations({ db, metrics }: { db: Database; metrics: Metrics }): void {
  metrics.gauge({
    name: 'waybill_expectations',
    help: 'Due times that are pending, and those that are missed, late or had unexpected files and were not acknowledged',
    labels: ['state'],
    collect: async (gauge) => {
      const { rows } = await db.raw<{ rows: { state: string; count: number }[] }>(
        `SELECT state, count(*)::int AS count FROM jobs.expectation_states
         WHERE state IN ('pending', 'missed', 'late', 'unexpected') GROUP BY state`,
      );
      for (const state of openStates) gauge.set({ state }, rows.find((row) => row.state === state)?.count ?? 0);
    },
  });
}
