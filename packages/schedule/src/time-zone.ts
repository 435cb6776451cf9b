/**
 * A time as a clock on the wall shows it, without its zone: the milliseconds that `Date.UTC` has for these numbers. Two
 * instants can have the same wall time, and some wall times have no instant.
 */
export type WallTime = number;

/** The instants, in milliseconds since 1970, of a wall time. */
export type WallInstants =
  /** `first` and `last` differ if the clock is set back over the time, so that it shows it twice. */
  | { readonly exists: true; readonly first: number; readonly last: number }
  /**
   * The clock is set forward over the time: `shift` is when that happens, `continued` when the clock would have shown the
   * time otherwise.
   */
  | { readonly exists: false; readonly shift: number; readonly continued: number };

/** The rules of a time zone. */
export interface TimeZone {
  readonly name: string;
  wallTimeAt(instant: number): WallTime;
  instantsOf(wall: WallTime): WallInstants;
}

const dayMs = 86_400_000;

const opened = new Map<string, TimeZone>();

/** The rules of a zone by its name in the tz database, which Node brings. @throws RangeError if it has none of that name */
export function openTimeZone(name: string): TimeZone {
  const known = opened.get(name);
  if (known) return known;
  const offsetAt = createOffsets(name);
  const zone: TimeZone = {
    name,
    wallTimeAt: (instant) => instant + offsetAt(instant),
    instantsOf: (wall) => instantsOf(wall, offsetAt),
  };
  opened.set(name, zone);
  return zone;
}

/** No zone has two changes within two days, nor an offset of more than a day: the offsets a day before and after decide. */
function instantsOf(wall: WallTime, offsetAt: (instant: number) => number): WallInstants {
  const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
  const instants = [...new Set([wall - before, wall - after])]
    .filter((instant) => instant + offsetAt(instant) === wall)
    .toSorted((one, other) => one - other);
  const [first] = instants;
  if (first !== undefined) return { exists: true, first, last: instants.at(-1) ?? first };
  return { exists: false, shift: findChange(wall - after, wall - before, offsetAt), continued: wall - before };
}

/** The first instant after `from` with another offset; there is exactly one change up to `to`. */
function findChange(from: number, to: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** What the clock shows minus UTC, in milliseconds, at an instant. */
function createOffsets(timeZone: string): (instant: number) => number {
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  return (instant) => {
    const wholeSecond = Math.floor(instant / 1_000) * 1_000;
    const shown: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(wholeSecond)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
  };
}
