import { createHash } from 'node:crypto';
import { caughtUpAtMost, type TimeTrigger } from '@waybill/contracts/configuration/time-trigger';
import { openSchedule, type Schedule } from '@waybill/schedule/open-schedule';

/** The action that a schedule belongs to. */
export interface ScheduledAction {
  readonly contract: string;
  readonly action: string;
}

/** A time of a cron expression, and when its job is created: later by the jitter. */
export interface PlannedTime {
  readonly scheduledAt: Date;
  readonly dueAt: Date;
}

/** What is to be done about an action whose time has come. */
export interface StartPlan {
  /** The time for which a job is created; `undefined` if it was missed and is not made up for. */
  readonly start: PlannedTime | undefined;
  /** Whether times were missed that are not made up for. */
  readonly skipsSome: boolean;
  readonly next: PlannedTime;
}

/** A job that is created later than this after its time is late: the time was missed. */
export const lateAfterMs = 60_000;

/** The first time after an instant. */
export function firstTimeAfter(after: Date, trigger: TimeTrigger, of: ScheduledAction): PlannedTime {
  const schedule = openSchedule(trigger);
  return planned(schedule.next(after), schedule, trigger, of);
}

/** Decides what to do at `now` about an action of which `scheduledAt` is the first time without a job, and is due. */
export function planStart(scheduledAt: Date, now: Date, trigger: TimeTrigger, of: ScheduledAction): StartPlan {
  const schedule = openSchedule(trigger);
  const timeAt = (instant: Date | undefined): PlannedTime => planned(instant, schedule, trigger, of);
  const latest = latestDue(scheduledAt, now, schedule, timeAt);
  const chosen = timeAt(
    trigger.catchUp === 'all' ? oldestToMakeUpFor(scheduledAt, latest.scheduledAt, schedule) : latest.scheduledAt,
  );
  const isMissed = now.getTime() - chosen.dueAt.getTime() > lateAfterMs;
  const start = trigger.catchUp === 'none' && isMissed ? undefined : chosen;
  return {
    start,
    skipsSome: start === undefined || start.scheduledAt > scheduledAt,
    next: timeAt(schedule.next(chosen.scheduledAt)),
  };
}

function latestDue(
  scheduledAt: Date,
  now: Date,
  schedule: Schedule,
  timeAt: (instant: Date) => PlannedTime,
): PlannedTime {
  const latest = timeAt(schedule.last(scheduledAt, now) ?? scheduledAt);
  if (latest.dueAt <= now) return latest;
  // The jitter of the latest is not over; that of the one before ends before the latest itself.
  return timeAt(schedule.last(scheduledAt, before(latest.scheduledAt)) ?? scheduledAt);
}

function oldestToMakeUpFor(scheduledAt: Date, latest: Date, schedule: Schedule): Date {
  // An outage can have a million times: looks back further and further, until it sees enough of them.
  for (let backMs = 3_600_000; ; backMs *= 2) {
    const from = new Date(Math.max(before(scheduledAt).getTime(), latest.getTime() - backMs));
    const newest = timesBetween(from, latest, schedule).slice(-caughtUpAtMost);
    if (newest.length === caughtUpAtMost || from < scheduledAt) return newest[0] ?? latest;
  }
}

function timesBetween(after: Date, until: Date, schedule: Schedule): Date[] {
  const times: Date[] = [];
  let time = schedule.next(after);
  while (time && time <= until) {
    times.push(time);
    time = schedule.next(time);
  }
  return times;
}

function before(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}

/** The delay differs for each time, is the same in every process, and ends before the next time. */
function planned(
  instant: Date | undefined,
  schedule: Schedule,
  { jitterSeconds }: TimeTrigger,
  of: ScheduledAction,
): PlannedTime {
  if (!instant) throw new Error(`There is no further time for ${of.contract}/${of.action}`);
  if (jitterSeconds === 0) return { scheduledAt: instant, dueAt: instant };
  const following = schedule.next(instant)?.getTime() ?? Infinity;
  const longestMs = Math.min(jitterSeconds * 1_000, following - instant.getTime() - 1);
  const digest = createHash('sha256')
    .update(JSON.stringify([of.contract, of.action, instant]))
    .digest();
  const delayMs = Math.floor((digest.readUIntBE(0, 6) / 2 ** 48) * (longestMs + 1));
  return { scheduledAt: instant, dueAt: new Date(instant.getTime() + delayMs) };
}
