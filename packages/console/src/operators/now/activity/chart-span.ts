/** A span of time that charts show: `bars` of `unit`, the last of which has just begun. */
export interface ChartSpan {
  readonly unit: 'minute' | 'hour';
  readonly bars: number;
}

/** The spans that an operator can choose. */
export const chartSpans = {
  hour: { unit: 'minute', bars: 60 },
  day: { unit: 'hour', bars: 24 },
  week: { unit: 'hour', bars: 168 },
} as const satisfies Readonly<Record<string, ChartSpan>>;

/** The name of a span. */
export type SpanName = keyof typeof chartSpans;

const unitMs = { minute: 60_000, hour: 3_600_000 } as const;

/** The beginnings of the bars, in milliseconds since 1970. */
export function barTimes({ unit, bars }: ChartSpan, now: number): number[] {
  const length = unitMs[unit];
  const last = Math.floor(now / length);
  return Array.from({ length: bars }, (_, index) => (last - bars + 1 + index) * length);
}
