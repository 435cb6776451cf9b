import { describe, expect, it, test } from 'vitest';
import { openSchedule } from './open-schedule.ts';

/** An independent model: every minute of some days is asked what the clock shows. */
describe.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Sao_Paulo', 'Pacific/Chatham'])(
  'every instant in %s is the one of the model',
  (timeZone) => {
    const changes = ['2026-03-28', '2026-10-24', '2027-04-02', '2026-10-02', '2026-04-23', '2026-10-28', '2018-11-03'];
    const spans = changes.map((day) => clockFrom(Date.parse(`${day}T00:00Z`), timeZone));
    test.each<[string, (hour: number, minute: number) => boolean]>([
      ['30 2 * * *', (hour, minute) => hour === 2 && minute === 30],
      ['*/20 0-3,23 * * *', (hour, minute) => (hour <= 3 || hour === 23) && minute % 20 === 0],
      ['15 1,2,3 * * *', (hour, minute) => hour >= 1 && hour <= 3 && minute === 15],
      ['0 0 * * *', (hour, minute) => hour === 0 && minute === 0],
      ['45 23 * * *', (hour, minute) => hour === 23 && minute === 45],
    ])('%s', (cron, matches) => {
      const schedule = openSchedule({ cron, timeZone });
      for (const clock of spans) {
        const expected = modelOf(clock, matches);
        const [from, until] = [clock[0]?.instant ?? 0, clock.at(-1)?.instant ?? 0];
        const found: number[] = [];
        let due = schedule.next(new Date(from));
        while (due && due.getTime() <= until) {
          found.push(due.getTime());
          due = schedule.next(due);
        }
        expect(found).toEqual(expected);
      }
    });
  },
);

describe('the last instant of an outage', () => {
  const last = (cron: string, after: string, until: string): string | undefined =>
    openSchedule({ cron, timeZone: 'Europe/Berlin' }).last(new Date(after), new Date(until))?.toISOString();

  it('is the newest that is not after its end', () => {
    expect(last('0 6 * * *', '2026-03-01T00:00Z', '2026-03-05T04:59:59Z')).toBe('2026-03-04T05:00:00.000Z');
    expect(last('0 6 * * *', '2026-03-01T00:00Z', '2026-03-05T05:00:00Z')).toBe('2026-03-05T05:00:00.000Z');
    expect(last('0 6 * * *', '2026-03-05T05:00Z', '2026-03-05T23:00Z')).toBeUndefined();
  });

  it('is found at once after a year of minutes, over both changes of the clock', () => {
    const begun = process.threadCpuUsage().user;
    expect(last('* * * * *', '2026-01-01T00:00Z', '2027-01-01T00:00:30Z')).toBe('2027-01-01T00:00:00.000Z');
    expect(process.threadCpuUsage().user - begun).toBeLessThan(500_000);
  });
});

interface ShownTime {
  readonly instant: number;
  readonly wall: number;
}

function clockFrom(from: number, timeZone: string): ShownTime[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return Array.from({ length: 3 * 24 * 60 }, (_, minute) => {
    const instant = from + minute * 60_000;
    return { instant, wall: Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) };
  });
}

/** A time is due when the clock shows it, or has passed it, for the first time. */
function modelOf(clock: readonly ShownTime[], matches: (hour: number, minute: number) => boolean): number[] {
  let passed = clock[0]?.wall ?? 0;
  const due = new Set<number>();
  for (const { instant, wall } of clock) {
    for (let time = passed + 60_000; time <= wall; time += 60_000) {
      const date = new Date(time);
      if (matches(date.getUTCHours(), date.getUTCMinutes())) due.add(instant);
    }
    passed = Math.max(passed, wall);
  }
  return [...due];
}
