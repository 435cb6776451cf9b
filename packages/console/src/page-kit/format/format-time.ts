import { language } from '../messages/language.ts';

const dateAndTime = new Intl.DateTimeFormat(language, {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** A point in time with its zone: `Mar 02, 2026, 08:15 UTC`. An empty text if there is none. */
export function formatTime(time: string | undefined): string {
  return time === undefined || time === '' ? '' : dateAndTime.format(new Date(time));
}

/** A duration in seconds for people: `3 s`, `2 min`, `1 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
