import { language } from '../../texts/language.ts';
import { texts } from '../texts.ts';

const parts = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
const dateAndTime = new Intl.DateTimeFormat(language(), parts);
const inUtc = new Intl.DateTimeFormat(language(), { ...parts, timeZone: 'UTC' });
const withSeconds = new Intl.DateTimeFormat(language(), { ...parts, second: '2-digit' });
const withMilliseconds = new Intl.DateTimeFormat(language(), {
  ...parts,
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** A point in time with its zone: `Mar 02, 2026, 08:15 UTC`. An empty text if there is none. */
export function formatTime(time: string | undefined): string {
  return time === undefined || time === '' ? '' : dateAndTime.format(new Date(time));
}

/** The same in UTC, for the end of what lasts for days in UTC. */
export function formatUtcTime(time: string): string {
  return inUtc.format(new Date(time));
}

/** The same as `formatTime` with seconds, for what is compared with other records: `Mar 02, 2026, 08:15:30 UTC`. */
export function formatExactTime(time: string | undefined): string {
  return time === undefined || time === '' ? '' : withSeconds.format(new Date(time));
}

/** The same with milliseconds, for lines of a log: `Mar 02, 2026, 08:15:30.402 UTC`. */
export function formatLogTime(time: string): string {
  return withMilliseconds.format(new Date(time));
}

/** A duration in milliseconds for people: `14 ms`, `1.5 s`, `2 h 0 min`. */
export function formatMilliseconds(duration: number): string {
  if (duration < 1_000) return texts.milliseconds(Math.round(duration));
  if (duration >= 60_000) return formatDuration(duration / 1_000);
  return texts.seconds(Math.round(duration / 100) / 10);
}

/** A duration in seconds for people: `3 s`, `2 min`, `1 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return texts.seconds(Math.ceil(seconds));
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? texts.minutes(minutes) : texts.hours(Math.floor(minutes / 60), minutes % 60);
}
