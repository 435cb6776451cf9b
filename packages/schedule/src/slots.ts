import type { JobQueueSlot } from '@waybill/contracts/configuration/job-queue-slot';
import { openTimeZone, type TimeZone, type WallTime } from './time-zone.ts';

/** In the order in which `Date` counts them. */
const weekDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** When a slot opens or closes next. */
export interface SlotChange {
  readonly at: Date;
  /** What the clock of the slot's zone shows then: `2026-03-29 08:00 (Europe/Berlin)`. */
  readonly shown: string;
}

interface Interval {
  readonly from: number;
  readonly until: number;
  readonly zone: TimeZone;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Whether an instant is in one of the slots. A time that the clock skips is taken as the instant of the change. Of a time that it
 * shows twice, a slot opens at the first and closes at the last: it is never interrupted.
 */
export function isOpen(slots: readonly JobQueueSlot[], at: Date): boolean {
  const instant = at.getTime();
  return intervalsAround(slots, instant, 1).some(({ from, until }) => from <= instant && instant < until);
}

/** When the first slot after an instant opens; `undefined` without slots. */
export function nextOpening(slots: readonly JobQueueSlot[], after: Date): SlotChange | undefined {
  // The only slot of a week may be one that the clock skips.
  const [first] = intervalsAround(slots, after.getTime(), 15)
    .filter(({ from }) => from > after.getTime())
    .toSorted((one, other) => one.from - other.from);
  return first && changeAt(first.from, first.zone);
}

/**
 * When the slots that are open at an instant close, slots that follow without a gap included; `undefined` if none is open, or if
 * they do not close within the next two weeks.
 */
export function nextClosing(slots: readonly JobQueueSlot[], after: Date): SlotChange | undefined {
  const intervals = intervalsAround(slots, after.getTime(), 15);
  const horizon = after.getTime() + 14 * dayMs;
  let closing: { at: number; zone: TimeZone } | undefined;
  for (;;) {
    const at: number = closing?.at ?? after.getTime();
    if (at >= horizon) return undefined;
    const last = intervals
      .filter(({ from, until }) => from <= at && at < until)
      .toSorted((one, other) => other.until - one.until)[0];
    if (!last) return closing && changeAt(closing.at, closing.zone);
    closing = { at: last.until, zone: last.zone };
  }
}

function changeAt(instant: number, zone: TimeZone): SlotChange {
  const shown = new Date(zone.wallTimeAt(instant)).toISOString().slice(0, 16).replace('T', ' ');
  return { at: new Date(instant), shown: `${shown} (${zone.name})` };
}

/** The slots that begin on the day of an instant, on the two days before it, and on some days after it. */
function intervalsAround(slots: readonly JobQueueSlot[], instant: number, daysAfter: number): Interval[] {
  return slots.flatMap((slot) => {
    const zone = openTimeZone(slot.timeZone);
    const midnight = Math.floor(zone.wallTimeAt(instant) / dayMs) * dayMs;
    const days = Array.from({ length: 3 + daysAfter }, (_, index) => midnight + (index - 2) * dayMs);
    return days.flatMap((day) => intervalOn(day, slot, zone));
  });
}

function intervalOn(day: WallTime, slot: JobQueueSlot, zone: TimeZone): Interval[] {
  const weekDay = weekDays[new Date(day).getUTCDay()];
  if (weekDay === undefined || !slot.days.includes(weekDay)) return [];
  const [from, to] = [timeOf(slot.from), timeOf(slot.to)];
  const opening = zone.instantsOf(day + from);
  const closing = zone.instantsOf(day + (to > from ? to : to + dayMs));
  const interval = {
    from: opening.exists ? opening.first : opening.shift,
    until: closing.exists ? closing.last : closing.shift,
    zone,
  };
  return interval.from < interval.until ? [interval] : [];
}

function timeOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
}
