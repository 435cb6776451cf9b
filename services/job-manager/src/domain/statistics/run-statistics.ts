/** A range of whole hours; `to` is not part of it. */
export interface HourRange {
  readonly from: Date;
  readonly to: Date;
}

/** Whose runs they are. */
interface RunsOf {
  readonly contract: string;
  readonly action: string;
  readonly queue: string;
}

/** How many runs have ended and how, and the last ones. */
export interface CountedRuns extends RunsOf {
  readonly completed: number;
  readonly failed: number;
  readonly aborted: number;
  readonly longestMs: number | null;
  readonly lastAt: Date;
  readonly lastJob: number;
  readonly lastOutcome: 'COMPLETED' | 'ERROR' | 'ABORTED';
  readonly failedAt: Date | null;
  readonly failedJob: number | null;
  readonly failedMessage: string | null;
}

/** How many runs or waits took a time of bucket b: at most 2^(b / 4) ms. */
export interface RunDurations extends RunsOf {
  readonly measure: 'run' | 'wait';
  readonly bucket: number;
  readonly jobs: number;
}

/** How many runs have ended in an hour. */
export interface HourCounts {
  readonly hour: Date;
  readonly completed: number;
  readonly failed: number;
  readonly aborted: number;
}

/** How many runs of an hour took a time of a bucket. */
export interface HourDurations {
  readonly hour: Date;
  readonly bucket: number;
  readonly jobs: number;
}

/** Where the runs are counted, by hour. */
export interface RunStatisticsStore {
  /** Jobs that ended before are counted. */
  countedUntil(): Promise<Date>;
  runs(range: HourRange): Promise<CountedRuns[]>;
  durations(range: HourRange): Promise<RunDurations[]>;
  /** The hours in which runs ended, in their order. */
  countsOfHours(range: HourRange): Promise<HourCounts[]>;
  durationsOfHours(range: HourRange): Promise<HourDurations[]>;
}

/** The figures of an action or a queue. Times in seconds. */
export interface RunFigures {
  readonly completed: number;
  readonly failed: number;
  readonly aborted: number;
  /** Absent if none has run. */
  readonly run: { readonly p50: number; readonly p95: number; readonly max: number } | undefined;
  readonly wait: { readonly p50: number; readonly p95: number } | undefined;
  readonly last: { readonly job: number; readonly at: Date; readonly outcome: CountedRuns['lastOutcome'] };
  readonly lastFailure: { readonly job: number; readonly at: Date; readonly message: string } | undefined;
}

/** What was counted in a range of time. */
export interface RunStatistics extends HourRange {
  readonly countedUntil: Date;
  readonly actions: readonly (RunFigures & Pick<RunsOf, 'contract' | 'action'>)[];
  readonly queues: readonly (RunFigures & Pick<RunsOf, 'queue'>)[];
}

const hourMs = 3_600_000;

/** The range, widened to whole hours. */
export function wholeHours({ from, to }: HourRange): HourRange {
  return {
    from: new Date(Math.floor(from.getTime() / hourMs) * hourMs),
    to: new Date(Math.ceil(to.getTime() / hourMs) * hourMs),
  };
}

/** Reads the figures from a time to another, in whole hours: the hours that the two are in are part of it. */
export async function readRunStatistics(store: RunStatisticsStore, range: HourRange): Promise<RunStatistics> {
  const { from, to } = wholeHours(range);
  const countedUntil = await store.countedUntil();
  const [runs, durations] = await Promise.all([store.runs({ from, to }), store.durations({ from, to })]);
  const actionOf = ({ contract, action }: RunsOf) => JSON.stringify([contract, action]);
  const queueOf = ({ queue }: RunsOf) => queue;
  return {
    from,
    to,
    countedUntil,
    actions: figuresBy(actionOf, runs, durations).map(([{ contract, action }, figures]) => ({
      contract,
      action,
      ...figures,
    })),
    queues: figuresBy(queueOf, runs, durations).map(([{ queue }, figures]) => ({ queue, ...figures })),
  };
}

function figuresBy(
  keyOf: (runs: RunsOf) => string,
  runs: readonly CountedRuns[],
  durations: readonly RunDurations[],
): [RunsOf, RunFigures][] {
  const measured = Map.groupBy(durations, keyOf);
  return [...Map.groupBy(runs, keyOf)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, group]): [RunsOf, RunFigures][] => {
      const [first] = group;
      return first ? [[first, figuresOf(first, group, measured.get(key) ?? [])]] : [];
    });
}

function figuresOf(first: CountedRuns, group: readonly CountedRuns[], durations: readonly RunDurations[]): RunFigures {
  const sum = (of: (runs: CountedRuns) => number): number => group.reduce((total, runs) => total + of(runs), 0);
  const last = group.reduce((newest, runs) => (runs.lastAt > newest.lastAt ? runs : newest), first);
  const failures = group.flatMap(({ failedAt: at, failedJob: job, failedMessage: message }) =>
    at !== null && job !== null && message !== null ? [{ at, job, message }] : [],
  );
  const longestMs = Math.max(0, ...group.map((runs) => runs.longestMs ?? 0));
  const run = quantilesOf(durations.filter(({ measure }) => measure === 'run'));
  return {
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    aborted: sum(({ aborted }) => aborted),
    run: run && {
      p50: Math.min(run.p50, longestMs / 1_000),
      p95: Math.min(run.p95, longestMs / 1_000),
      max: longestMs / 1_000,
    },
    wait: quantilesOf(durations.filter(({ measure }) => measure === 'wait')),
    last: { job: last.lastJob, at: last.lastAt, outcome: last.lastOutcome },
    lastFailure: failures.toSorted((one, other) => other.at.getTime() - one.at.getTime())[0],
  };
}

/** In seconds: the upper end of the bucket, which is up to a fifth above the exact time. */
export function quantilesOf(
  durations: readonly Pick<RunDurations, 'bucket' | 'jobs'>[],
): { p50: number; p95: number } | undefined {
  const counts = new Map<number, number>();
  let total = 0;
  for (const { bucket, jobs } of durations) {
    counts.set(bucket, (counts.get(bucket) ?? 0) + jobs);
    total += jobs;
  }
  if (total === 0) return undefined;
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  const quantile = (share: number): number => {
    let seen = 0;
    for (const [bucket, jobs] of sorted) {
      seen += jobs;
      if (seen >= share * total) return Math.ceil(2 ** (bucket / 4)) / 1_000;
    }
    return 0;
  };
  return { p50: quantile(0.5), p95: quantile(0.95) };
}
