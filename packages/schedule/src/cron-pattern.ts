import { Cron } from 'croner';
import type { WallTime } from './time-zone.ts';

/** The times that a cron expression matches, as a clock on the wall shows them. */
export interface CronPattern {
  /** True if the field of the hour matches every hour: `30 * * * *`. */
  readonly isHourly: boolean;
  /** The first matching wall time after another; `undefined` if there is none. */
  nextWallTime(after: WallTime): WallTime | undefined;
}

/** What is wrong with a cron expression, as the end of a sentence that begins with the name of the setting. */
export class CronFault extends Error {}

const example = 'such as 0 6 * * MON-FRI';
const fieldNames = ['minute', 'hour', 'day of the month', 'month', 'day of the week'] as const;

const dayMs = 86_400_000;

/**
 * Parses a cron expression of five fields: numbers, names of months and days, `*`, ranges, lists and steps, `L` for the
 * last day of the month (or `5L` for its last Friday), `#` for the nth day of the week and `W` for the nearest working day.
 * If days of the month and of the week are both restricted, either is enough. The messages never contain the expression.
 * @throws CronFault
 */
export function parseCron(expression: string): CronPattern {
  const fields = expression.trim().split(/\s+/u);
  if (expression.length > 256 || fields.length !== fieldNames.length) {
    throw new CronFault(`must have five fields (${fieldNames.join(', ')}), ${example}`);
  }
  const wrong = fieldNames.find((_, index) => !isField(fields[index] ?? '', index));
  if (wrong !== undefined)
    throw new CronFault(
      `has ${wrong === 'hour' ? 'an' : 'a'} ${wrong} that is not possible in a cron expression, ${example}`,
    );
  const pattern = open(fields.join(' '));
  if (!pattern || next(pattern, 0) === undefined) {
    throw new CronFault('never fires: no month of any year has such a day');
  }
  return { isHourly: isHourly(fields[1] ?? ''), nextWallTime: (after) => next(pattern, after) };
}

/** The expression is read without a zone: what a change of the clock means is not left to the library. */
function open(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { utcOffset: 0, mode: '5-part', paused: true });
  } catch {
    return undefined;
  }
}

function next(pattern: Cron, after: WallTime): WallTime | undefined {
  return pattern.nextRun(new Date(after))?.getTime();
}

function isField(field: string, index: number): boolean {
  if (!/^[\d*,\-/A-Za-z#]+$/u.test(field)) return false;
  return open(fieldNames.map((_, at) => (at === index ? field : '*')).join(' ')) !== undefined;
}

function isHourly(hours: string): boolean {
  const pattern = open(`0 ${hours} * * *`);
  if (!pattern) return false;
  let [count, wall] = [0, next(pattern, -1_000)];
  while (wall !== undefined && wall < dayMs) {
    count += 1;
    wall = next(pattern, wall);
  }
  return count === 24;
}
