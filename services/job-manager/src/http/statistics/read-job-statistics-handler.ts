import type { JobStatisticsView, readJobStatisticsEndpoint } from '@waybill/contracts/endpoints/jobs/job-statistics';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { readRunStatistics, type RunFigures, type RunStatisticsStore } from '../../domain/statistics/run-statistics.ts';

/** How jobs went, by action and by queue. */
export function createReadJobStatisticsHandler({
  statistics,
}: {
  statistics: RunStatisticsStore;
}): EndpointHandler<typeof readJobStatisticsEndpoint> {
  return async ({ query }) => {
    const { from, to, countedUntil, actions, queues } = await readRunStatistics(statistics, query);
    return {
      status: 200,
      body: {
        from: from.toISOString(),
        to: to.toISOString(),
        countedUntil: countedUntil.toISOString(),
        actions: actions.map(({ contract, action, ...figures }) => ({ contract, action, ...present(figures) })),
        queues: queues.map(({ queue, ...figures }) => ({ queue, ...present(figures) })),
      },
    };
  };
}

function present(figures: RunFigures): Omit<JobStatisticsView['queues'][number], 'queue'> {
  const { completed, failed, aborted, run, wait, last, lastFailure } = figures;
  return {
    completed,
    failed,
    aborted,
    runTime: run ?? null,
    waitingTime: wait ?? null,
    lastRun: { ...last, at: last.at.toISOString() },
    lastFailure: lastFailure ? { ...lastFailure, at: lastFailure.at.toISOString() } : null,
  };
}
