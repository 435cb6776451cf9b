import type { AuditCount } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import type { AuditFilters } from './audit-filters.ts';

const units = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** What a chart shows: times in milliseconds since 1970, and the unit of a bar. */
export interface ChartRange {
  readonly from: number;
  readonly to: number;
  readonly unit: keyof typeof units;
}

/** A chart without a beginning shows this long. */
const usualMs = 2 * units.day;

/** A bar is as short as possible with at most this many. */
const barsAtMost = 200;

/** Longer ranges are cut at their beginning. */
const daysAtMost = 1_000;

/** The range that filters ask for. */
export function chartRange({ fromAuditTime, toAuditTime }: AuditFilters, now: number): ChartRange {
  const to = timeOf(toAuditTime) ?? now;
  const asked = timeOf(fromAuditTime) ?? to - usualMs;
  const from = Math.max(asked, to - daysAtMost * units.day);
  const unit = (['minute', 'hour'] as const).find((name) => (to - from) / units[name] <= barsAtMost) ?? 'day';
  return { from, to, unit };
}

/** A bar for each unit of the range, also where nothing was counted. */
export function barsBetween({ from, to, unit }: ChartRange, counts: readonly AuditCount[]) {
  const length = units[unit];
  const first = Math.floor(from / length);
  const number = Math.max(1, Math.floor(to / length) - first + 1);
  const found = new Map(counts.map(({ time, count }) => [Date.parse(time), count]));
  return Array.from({ length: number }, (_, index) => {
    const time = (first + index) * length;
    return { time: new Date(time).toISOString(), count: found.get(time) ?? 0 };
  });
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
