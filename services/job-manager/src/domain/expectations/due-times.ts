import type { Expectation } from '@waybill/contracts/configuration/expectation';
import { openSchedule } from '@waybill/schedule/open-schedule';

/** A time at which files are due, and until when they are in time. */
export interface DueTime {
  readonly dueAt: Date;
  readonly deadlineAt: Date;
}

/** Which due time the files of an instant belong to. */
export interface FilePlace {
  /** The first one whose deadline is not over at the instant. */
  readonly due: DueTime;
  /** The due time before it. */
  readonly previous: DueTime | undefined;
  /** Whether the instant is before the window of `due`: a file of `previous` that is missing is late. */
  readonly isEarly: boolean;
}

/** What due times are computed from. */
export type DueDefinition = Pick<Expectation, 'name' | 'cron' | 'timeZone' | 'graceMinutes' | 'windowMinutes'>;

const minuteMs = 60_000;
/** No cron expression has a longer pause between two times: 29 February of leap years, and 2100 is none. */
const longestPauseMs = 9 * 366 * 1_440 * minuteMs;

/** The first due time after an instant. */
export function firstDueAfter(after: Date, expectation: DueDefinition): DueTime {
  const dueAt = openSchedule(expectation).next(after);
  if (!dueAt) throw new Error(`There is no further due time of the expectation ${expectation.name}`);
  return withDeadline(dueAt, expectation);
}

/**
 * Which due time a file of this instant counts for. Without `windowMinutes`, the window begins in the middle between the two
 * due times: a file of the first half makes up for the one before, if that is missing.
 */
export function placeFile(at: Date, expectation: DueDefinition): FilePlace {
  const graceMs = expectation.graceMinutes * minuteMs;
  const due = firstDueAfter(new Date(at.getTime() - graceMs - 1), expectation);
  const dueMs = due.dueAt.getTime();
  const before = openSchedule(expectation).last(new Date(dueMs - longestPauseMs), new Date(dueMs - 1));
  const previous = before && withDeadline(before, expectation);
  return { due, previous, isEarly: at.getTime() < opening(dueMs, before?.getTime(), expectation) };
}

function opening(dueMs: number, beforeMs: number | undefined, { windowMinutes }: DueDefinition): number {
  if (windowMinutes !== undefined) return dueMs - windowMinutes * minuteMs;
  return beforeMs === undefined ? Number.NEGATIVE_INFINITY : (dueMs + beforeMs) / 2;
}

/** How many due times are judged after an outage at most: the newest. */
export const judgedAtMost = 100;

/**
 * The due times to judge at `now`, in order, of which `next` is the first one that was not judged. After a long outage, the oldest are
 * left out.
 */
export function dueTimesToJudge(next: Date, now: Date, expectation: DueDefinition): DueTime[] {
  const schedule = openSchedule(expectation);
  const newest: Date[] = [];
  // Files are in time until the deadline, and at it.
  let until = new Date(now.getTime() - expectation.graceMinutes * minuteMs - 1);
  const before = new Date(next.getTime() - 1);
  while (newest.length < judgedAtMost) {
    const due = schedule.last(before, until);
    if (!due) break;
    newest.push(due);
    until = new Date(due.getTime() - 1);
  }
  return newest.toReversed().map((due) => withDeadline(due, expectation));
}

function withDeadline(dueAt: Date, { graceMinutes }: DueDefinition): DueTime {
  return { dueAt, deadlineAt: new Date(dueAt.getTime() + graceMinutes * minuteMs) };
}
