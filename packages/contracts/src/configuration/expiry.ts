import { z } from 'zod';

const dayMs = 86_400_000;

/**
 * When something ends: a day, which is the last one (in UTC), or an instant with its offset. Becomes the instant at which
 * it has ended, as in `2027-04-01T00:00:00.000Z`.
 */
export const expirySchema = z.union(
  [
    z.iso.date().transform((day) => new Date(Date.parse(day) + dayMs).toISOString()),
    z.iso.datetime({ offset: true }).transform((instant) => new Date(instant).toISOString()),
  ],
  'is neither a day, such as 2027-03-31, nor an instant with its offset',
);

/** The last day, as in `2027-03-31`, of what ends at an instant; undefined when it does not end with its day (in UTC). */
export function lastDayOf(end: string): string | undefined {
  const endMs = Date.parse(end);
  return endMs % dayMs === 0 ? new Date(endMs - dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length) : undefined;
}
