import { z } from 'zod';

const dayMs = 86_400_000;

/**
 * When something ends: the last day (in UTC), or an instant with its offset. Parsed to the instant of the end, such as
 * `2027-04-01T00:00:00.000Z`.
 */
export const expirySchema = z.union(
  [
    z.iso.date().transform((day) => new Date(Date.parse(day) + dayMs).toISOString()),
    z.iso.datetime({ offset: true }).transform((instant) => new Date(instant).toISOString()),
  ],
  'is neither a day, such as 2027-03-31, nor an instant with its offset',
);

/** The last day before an instant, such as `2027-03-31`; undefined if the instant is not the end of a day in UTC. */
export function lastDayOf(end: string): string | undefined {
  const endMs = Date.parse(end);
  return endMs % dayMs === 0 ? new Date(endMs - dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length) : undefined;
}
