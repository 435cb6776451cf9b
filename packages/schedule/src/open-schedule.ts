import { type CronPattern, parseCron } from './cron-pattern.ts';
import { openTimeZone, type TimeZone, type WallTime } from './time-zone.ts';

/** A cron expression and the name of the zone whose clock it means. */
export interface ScheduleDefinition {
  readonly cron: string;
  readonly timeZone: string;
}

/** The instants at which something is due. */
export interface Schedule {
  /** The first one after an instant; `undefined` if there is none. */
  next(after: Date): Date | undefined;
  /** The last one after `after` and not after `until`; `undefined` if there is none. */
  last(after: Date, until: Date): Date | undefined;
}

/**
 * The instants of a cron expression in a zone. On a day on which the clock changes:
 *
 * - A time that the clock skips is due once, at the instant of the change; several skipped times are due once together.
 * - A time that the clock shows twice is due once, the first time.
 * - An expression for every hour (`0 * * * *`) is due in every hour that passes: in both hours that look alike, and not a
 *   second time for the hour that is skipped.
 *
 * @throws CronFault; RangeError if there is no such zone
 */
export function openSchedule({ cron, timeZone }: ScheduleDefinition): Schedule {
  const pattern = parseCron(cron);
  const zone = openTimeZone(timeZone);
  const findNext = pattern.isHourly ? nextOfHourly : nextOfFixed;
  const next = (after: number): number | undefined => findNext(pattern, zone, after);
  return {
    next: (after) => asDate(next(after.getTime())),
    last: (after, until) => asDate(lastBetween(next, after.getTime(), until.getTime())),
  };
}

function asDate(instant: number | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}

/** Later wall times are never due earlier, so the first that is due after the instant is the next one. */
function nextOfFixed(pattern: CronPattern, zone: TimeZone, after: number): number | undefined {
  for (const wall of wallTimes(pattern, zone.wallTimeAt(after))) {
    const found = zone.instantsOf(wall);
    const due = found.exists ? found.first : found.shift;
    if (due > after) return due;
  }
  return undefined;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Takes skipped times as the clock would have shown them without its change. After a change of a whole hour, that is a
 * matching time anyway; after one of half an hour (Lord Howe Island), no hour is without one.
 */
function nextOfHourly(pattern: CronPattern, zone: TimeZone, after: number): number | undefined {
  const offsets = [-dayMs, 0, dayMs].map((distance) => zone.wallTimeAt(after + distance) - (after + distance));
  const recentChange = Math.max(...offsets) - Math.min(...offsets);
  let best: number | undefined;
  for (const wall of wallTimes(pattern, zone.wallTimeAt(after) - recentChange)) {
    const found = zone.instantsOf(wall);
    const dues = found.exists ? [found.first, found.last] : [found.continued];
    // Of times that exist, a later one is not due earlier; between those that are skipped and those, that is not so.
    if (best !== undefined && found.exists && found.first >= best) return best;
    for (const due of dues) if (due > after && due < (best ?? Infinity)) best = due;
  }
  return best;
}

function* wallTimes(pattern: CronPattern, after: WallTime): Generator<WallTime> {
  let wall = pattern.nextWallTime(after);
  while (wall !== undefined) {
    yield wall;
    wall = pattern.nextWallTime(wall);
  }
}

/** By bisection: an outage of a year has half a million minutes. */
function lastBetween(next: (after: number) => number | undefined, after: number, until: number): number | undefined {
  const nextUntil = (instant: number): number | undefined => {
    const due = next(instant);
    return due !== undefined && due <= until ? due : undefined;
  };
  let last = nextUntil(after);
  if (last === undefined) return undefined;
  let high = until;
  while (high - last > minuteMs) {
    const middle = Math.floor((last + high) / 2);
    const later = nextUntil(middle);
    if (later === undefined) high = middle;
    else last = later;
  }
  // There is at most one in a minute.
  return nextUntil(last) ?? last;
}
