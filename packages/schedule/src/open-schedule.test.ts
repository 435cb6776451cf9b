import { describe, expect, test } from 'vitest';
import { openSchedule } from './open-schedule.ts';

/** The first instants after another, as `2026-03-29T01:00Z`. */
function dues(cron: string, timeZone: string, after: string, count: number): string[] {
  const schedule = openSchedule({ cron, timeZone });
  const found: string[] = [];
  let last: Date | undefined = new Date(after);
  while (found.length < count && (last = schedule.next(last)) !== undefined) {
    found.push(`${last.toISOString().slice(0, 16)}Z`);
  }
  return found;
}

describe('a day on which the clock is set forward', () => {
  test.each([
    [
      'a skipped time is due at the change',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      '03-29T01:00',
      '03-30T00:30',
    ],
    [
      'several skipped times are due once',
      '*/10 2 * * *',
      'Europe/Berlin',
      '2026-03-29T00:30Z',
      '03-29T01:00',
      '03-30T00:00',
    ],
    [
      'a skipped time and the time of the change are due once',
      '0,30 2,3 * * *',
      'Europe/Berlin',
      '2026-03-29T00:30Z',
      '03-29T01:00',
      '03-29T01:30',
      '03-30T00:00',
    ],
    ['every hour', '0 * * * *', 'Europe/Berlin', '2026-03-28T23:30Z', '03-29T00:00', '03-29T01:00', '03-29T02:00'],
    [
      'every half hour past',
      '30 * * * *',
      'Europe/Berlin',
      '2026-03-28T23:00Z',
      '03-28T23:30',
      '03-29T00:30',
      '03-29T01:30',
      '03-29T02:30',
    ],
    ['in the United States', '30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', '03-08T07:00', '03-09T06:30'],
    [
      'on Lord Howe Island, by half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T13:00Z',
      '10-02T15:45',
      '10-03T15:30',
      '10-04T15:15',
    ],
    [
      'every hour on Lord Howe Island',
      '0 * * * *',
      'Australia/Lord_Howe',
      '2026-10-03T13:00Z',
      '10-03T13:30',
      '10-03T14:30',
      '10-03T15:30',
      '10-03T16:00',
      '10-03T17:00',
    ],
    [
      'minutes that the change brings into another order',
      '10,20,35 * * * *',
      'Australia/Lord_Howe',
      '2026-10-03T15:20Z',
      '10-03T15:35',
      '10-03T15:40',
      '10-03T15:50',
      '10-03T16:10',
    ],
    [
      'a midnight that is skipped in Brazil',
      '0 0 * * *',
      'America/Sao_Paulo',
      '2018-11-03T00:00Z',
      '11-03T03:00',
      '11-04T03:00',
      '11-05T02:00',
    ],
    [
      'a midnight that is skipped in Egypt',
      '30 0 * * *',
      'Africa/Cairo',
      '2026-04-23T00:00Z',
      '04-23T22:00',
      '04-24T21:30',
    ],
    [
      'a midnight that is skipped in Lebanon',
      '0 0 * * *',
      'Asia/Beirut',
      '2026-03-27T12:00Z',
      '03-27T22:00',
      '03-28T22:00',
      '03-29T21:00',
    ],
    [
      'a whole day that is skipped in Samoa',
      '0 12 * * *',
      'Pacific/Apia',
      '2011-12-29T12:00Z',
      '12-29T22:00',
      '12-30T10:00',
      '12-30T22:00',
    ],
  ])('%s', (_, cron, zone, after, ...expected) => {
    expect(dues(cron, zone, after, expected.length).map((due) => due.slice(5, 16))).toEqual(expected);
  });
});

describe('a day on which the clock is set back', () => {
  test.each([
    [
      'a time that occurs twice is due once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      '10-25T00:30',
      '10-26T01:30',
    ],
    [
      'each time that occurs twice is due once',
      '*/20 2 * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      '10-25T00:00',
      '10-25T00:20',
      '10-25T00:40',
      '10-26T01:00',
    ],
    ['a start between both occurrences', '30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45Z', '10-26T01:30'],
    [
      'every hour',
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T22:30Z',
      '10-24T23:00',
      '10-25T00:00',
      '10-25T01:00',
      '10-25T02:00',
    ],
    [
      'every hour, as a range',
      '0 0-23 * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      '10-25T00:00',
      '10-25T01:00',
      '10-25T02:00',
    ],
    [
      'every half hour',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:45Z',
      '10-25T00:00',
      '10-25T00:30',
      '10-25T01:00',
      '10-25T01:30',
      '10-25T02:00',
    ],
    [
      'on Lord Howe Island, by half an hour',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2027-04-02T13:00Z',
      '04-02T14:45',
      '04-03T14:45',
      '04-04T15:15',
    ],
    [
      'every half hour on Lord Howe Island',
      '*/30 * * * *',
      'Australia/Lord_Howe',
      '2027-04-03T13:45Z',
      '04-03T14:00',
      '04-03T14:30',
      '04-03T15:00',
      '04-03T15:30',
    ],
    [
      'the hour before midnight in Brazil',
      '30 23 * * *',
      'America/Sao_Paulo',
      '2018-02-16T12:00Z',
      '02-17T01:30',
      '02-18T01:30',
      '02-19T02:30',
    ],
    [
      'the hour before midnight in Egypt',
      '30 23 * * *',
      'Africa/Cairo',
      '2026-10-28T00:00Z',
      '10-28T20:30',
      '10-29T20:30',
      '10-30T21:30',
    ],
  ])('%s', (_, cron, zone, after, ...expected) => {
    expect(dues(cron, zone, after, expected.length).map((due) => due.slice(5, 16))).toEqual(expected);
  });
});

describe('days that not every month or year has', () => {
  test.each([
    ['29 February', '0 6 29 2 *', '2026-01-01T00:00Z', '2028-02-29', '2032-02-29'],
    ['29 February around 2100, which is no leap year', '0 6 29 2 *', '2095-01-01T00:00Z', '2096-02-29', '2104-02-29'],
    [
      'the last day of the month',
      '0 6 L * *',
      '2028-01-20T00:00Z',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ],
    ['the 31st', '0 6 31 * *', '2026-01-20T00:00Z', '2026-01-31', '2026-03-31', '2026-05-31'],
    ['the last Friday', '0 6 * * 5L', '2026-01-20T00:00Z', '2026-01-30', '2026-02-27'],
    ['the second Tuesday', '0 6 * * TUE#2', '2026-01-20T00:00Z', '2026-02-10', '2026-03-10'],
    [
      'a day of the month or of the week',
      '0 6 13 * FRI',
      '2026-02-07T00:00Z',
      '2026-02-13',
      '2026-02-20',
      '2026-02-27',
      '2026-03-06',
      '2026-03-13',
    ],
    ['Sunday as 7', '0 6 * * 7', '2026-02-07T00:00Z', '2026-02-08', '2026-02-15'],
  ])('%s', (_, cron, after, ...expected) => {
    expect(dues(cron, 'UTC', after, expected.length).map((due) => due.slice(0, 10))).toEqual(expected);
  });
});
