import { describe, expect, it } from 'vitest';
import { type DueDefinition, dueTimesToJudge, firstDueAfter, judgedAtMost, placeFile } from './due-times.ts';

const daily: DueDefinition = {
  name: 'orders',
  cron: '0 9 * * *',
  timeZone: 'UTC',
  graceMinutes: 30,
  windowMinutes: undefined,
};

const place = (at: string, expectation: Partial<DueDefinition> = {}) => {
  const { due, previous, isEarly } = placeFile(new Date(at), { ...daily, ...expectation });
  return [previous?.dueAt.toISOString(), due.dueAt.toISOString(), isEarly];
};

describe('a file', () => {
  it.each([
    ['2026-03-02T08:59Z', '2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z', false],
    ['2026-03-02T09:00Z', '2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z', false],
    ['2026-03-02T09:30Z', '2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z', false],
    ['2026-03-02T09:30:00.001Z', '2026-03-02T09:00:00.000Z', '2026-03-03T09:00:00.000Z', true],
    ['2026-03-02T20:59:59.999Z', '2026-03-02T09:00:00.000Z', '2026-03-03T09:00:00.000Z', true],
    ['2026-03-02T21:00Z', '2026-03-02T09:00:00.000Z', '2026-03-03T09:00:00.000Z', false],
  ])('of %s is between %s and %s; before the middle: %s', (at, ...expected) => {
    expect(place(at)).toEqual(expected);
  });

  it('is early before the window', () => {
    const windowMinutes = 60;
    expect(place('2026-03-02T07:59:59.999Z', { windowMinutes })[2]).toBe(true);
    expect(place('2026-03-02T08:00Z', { windowMinutes })[2]).toBe(false);
  });

  it('belongs to the due time of its zone, also on days on which the clock changes', () => {
    const berlin = { timeZone: 'Europe/Berlin', graceMinutes: 0 };
    expect(place('2026-03-28T22:00Z', berlin)).toEqual(['2026-03-28T08:00:00.000Z', '2026-03-29T07:00:00.000Z', false]);
    expect(place('2026-10-25T07:30Z', berlin)).toEqual(['2026-10-24T07:00:00.000Z', '2026-10-25T08:00:00.000Z', false]);
  });

  it('belongs to a day of leap years, also where eight years lie between two of them', () => {
    const leap = { cron: '0 0 29 2 *', graceMinutes: 0 };
    expect(place('2026-03-01T00:00Z', leap)).toEqual(['2024-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z', false]);
    expect(place('2100-02-28T00:00Z', leap)).toEqual(['2096-02-29T00:00:00.000Z', '2104-02-29T00:00:00.000Z', true]);
    expect(place('2100-03-01T00:00Z', leap)).toEqual(['2096-02-29T00:00:00.000Z', '2104-02-29T00:00:00.000Z', false]);
  });
});

describe('the due times to judge', () => {
  const judged = (next: string, now: string, expectation: Partial<DueDefinition> = {}) =>
    dueTimesToJudge(new Date(next), new Date(now), { ...daily, ...expectation }).map(({ dueAt }) =>
      dueAt.toISOString(),
    );

  it('are those whose deadline is over, in order', () => {
    const next = '2026-03-02T09:00Z';
    expect(judged(next, '2026-03-02T09:30Z')).toEqual([]);
    expect(judged(next, '2026-03-02T09:30:00.001Z')).toEqual(['2026-03-02T09:00:00.000Z']);
    expect(judged(next, '2026-03-04T09:29Z')).toEqual(['2026-03-02T09:00:00.000Z', '2026-03-03T09:00:00.000Z']);
  });

  it('are at most the newest hundred', () => {
    const times = judged('2026-03-02T09:00Z', '2027-03-02T10:00Z');
    expect(times).toHaveLength(judgedAtMost);
    expect(times.at(-1)).toBe('2027-03-02T09:00:00.000Z');
    expect(times.toSorted()).toEqual(times);
  });

  it('are those of the zone when the clock changes', () => {
    const night = { cron: '30 2 * * *', timeZone: 'Europe/Berlin', graceMinutes: 0 };
    expect(judged('2026-03-28T01:30Z', '2026-03-30T12:00Z', night)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(judged('2026-10-24T00:30Z', '2026-10-26T12:00Z', night)).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('go on after the newest one', () => {
    expect(firstDueAfter(new Date('2026-03-02T09:00Z'), daily)).toEqual({
      dueAt: new Date('2026-03-03T09:00Z'),
      deadlineAt: new Date('2026-03-03T09:30Z'),
    });
  });
});
