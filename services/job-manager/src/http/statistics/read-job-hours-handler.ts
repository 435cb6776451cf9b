import type { readJobHoursEndpoint } from '@waybill/contracts/endpoints/jobs/job-hours';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { readRunHours } from '../../domain/statistics/run-hours.ts';
import type { RunStatisticsStore } from '../../domain/statistics/run-statistics.ts';

/** How jobs went, by hour. */
export function createReadJobHoursHandler({
  statistics,
}: {
  statistics: RunStatisticsStore;
}): EndpointHandler<typeof readJobHoursEndpoint> {
  return async ({ query }) => {
    const { from, to, countedUntil, hours } = await readRunHours(statistics, query);
    return {
      status: 200,
      body: {
        from: from.toISOString(),
        to: to.toISOString(),
        countedUntil: countedUntil.toISOString(),
        hours: hours.map(({ hour, run, ...counts }) => ({ hour: hour.toISOString(), ...counts, runTime: run ?? null })),
      },
    };
  };
}
