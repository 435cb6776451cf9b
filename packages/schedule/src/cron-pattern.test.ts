import { describe, expect, test } from 'vitest';
import { parseCron } from './cron-pattern.ts';

describe('a cron expression', () => {
  test.each([
    ['', 'must have five fields'],
    ['* * * *', 'must have five fields'],
    ['0 0 6 * * *', 'must have five fields'],
    ['@daily', 'must have five fields'],
    [`${'0,'.repeat(300)}0 * * * *`, 'must have five fields'],
    ['60 * * * *', 'has a minute that'],
    ['0 24 * * *', 'has an hour that'],
    ['0 0 32 * *', 'has a day of the month that'],
    ['0 0 * FOO *', 'has a month that'],
    ['0 0 * * 8', 'has a day of the week that'],
    ['-1 * * * *', 'has a minute that'],
    ['*/0 * * * *', 'has a minute that'],
    ['5-1 * * * *', 'has a minute that'],
    ['1,,2 * * * *', 'has a minute that'],
    ['? * * * *', 'has a minute that'],
    ['0 0 30 2 *', 'never fires'],
    ['0 0 31 4,6,9,11 *', 'never fires'],
  ])('%j is refused', (cron, message) => {
    expect(() => parseCron(cron)).toThrow(message);
  });
});
