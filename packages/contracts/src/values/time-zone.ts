import { z } from 'zod';
import { suggestion } from '../errors/nearest-name.ts';

/**
 * The name of a time zone of the tz database (IANA), such as Europe/Berlin. Offsets such as +01:00 are no zones: they have no
 * summer time.
 */
export const timeZoneSchema = z
  .string()
  .max(64)
  .superRefine((name, context) => {
    if (isTimeZone(name)) return;
    const message = `must be a time zone of the tz database, such as Europe/Berlin${suggestion(name, Intl.supportedValuesOf('timeZone'))}`;
    context.addIssue({ code: 'custom', message });
  });

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/u.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
