import { z } from 'zod';

/** A literal `+` in a query is decoded to a blank. Sorts and times contain no blanks, so a blank is read as `+`. */
export const plusRestored = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(' ', '+') : value;

/** A time in a query: ISO 8601 with an offset. */
export const jobTimeSchema = z.preprocess(
  plusRestored,
  z.iso.datetime({ offset: true, abort: true }).refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1 && year <= 9_999;
  }, 'is between the years 1 and 9999'),
);
