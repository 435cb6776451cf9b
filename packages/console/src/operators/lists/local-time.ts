/** What a field of the type `datetime-local` takes, to years of four digits. */
const latest = '9999-12-31T23:59:59';

/** The range of a field for a time. */
export const fieldRange = { min: '0001-01-01T00:00:00', max: latest };

/** `2026-03-02T08:15:30` in the zone of the browser; empty if a field cannot show it, because there is no such time or year. */
export function localTime(value: string | undefined): string {
  const time = new Date(value ?? '');
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  if (Number.isNaN(local.getTime())) return '';
  const text = local.toISOString();
  return /^(?!0000)\d{4}-/u.test(text) ? text.slice(0, latest.length) : '';
}

/** The time of a field in UTC; undefined if it is empty, or no time. */
export function utcTime(local: string): string | undefined {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
