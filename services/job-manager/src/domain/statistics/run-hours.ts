import { type HourCounts, type HourRange, quantilesOf, type RunStatisticsStore, wholeHours } from './run-statistics.ts';

/** How runs went in an hour. Times in seconds. */
export interface RunHour extends HourCounts {
  /** Absent if none has run. */
  readonly run: { readonly p50: number; readonly p95: number } | undefined;
}

/** What was counted in a range of time, by hour. */
export interface RunHours extends HourRange {
  readonly countedUntil: Date;
  readonly hours: readonly RunHour[];
}

/** Reads the figures of each hour from a time to another: the hours that the two are in are part of it. */
export async function readRunHours(store: RunStatisticsStore, range: HourRange): Promise<RunHours> {
  const { from, to } = wholeHours(range);
  const countedUntil = await store.countedUntil();
  const [counts, durations] = await Promise.all([
    store.countsOfHours({ from, to }),
    store.durationsOfHours({ from, to }),
  ]);
  const measured = Map.groupBy(durations, ({ hour }) => hour.getTime());
  const hours = counts.map((count) => ({ ...count, run: quantilesOf(measured.get(count.hour.getTime()) ?? []) }));
  return { from, to, countedUntil, hours };
}
