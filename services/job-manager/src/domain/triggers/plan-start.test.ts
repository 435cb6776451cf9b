import { type TimeTrigger, timeTriggerSchema } from '@waybill/contracts/configuration/time-trigger';
import { describe, expect, it, test } from 'vitest';
import { firstTimeAfter, planStart } from './plan-start.ts';

const of = { contract: 'reports', action: 'daily' };
const trigger = (settings: object): TimeTrigger =>
  timeTriggerSchema.parse({ type: 'Time', cron: '0 * * * *', ...settings });

function plan(settings: object, scheduledAt: string, now: string): (string | boolean | undefined)[] {
  const { start, skipsSome, next } = planStart(new Date(scheduledAt), new Date(now), trigger(settings), of);
  const shown = (date: Date | undefined): string | undefined => date?.toISOString().slice(5, 16);
  return [shown(start?.scheduledAt), shown(next.scheduledAt), skipsSome];
}

describe('a time that has come', () => {
  test.each(['none', 'last', 'all'])('starts its job, with catchUp %s', (catchUp) => {
    expect(plan({ catchUp }, '2026-11-22T06:00Z', '2026-11-22T06:00Z')).toEqual(['11-22T06:00', '11-22T07:00', false]);
  });

  it('is not missed up to a minute later', () => {
    const none = { catchUp: 'none' };
    expect(plan(none, '2026-11-22T06:00Z', '2026-11-22T06:01Z')).toEqual(['11-22T06:00', '11-22T07:00', false]);
    expect(plan(none, '2026-11-22T06:00Z', '2026-11-22T06:01:01Z')).toEqual([undefined, '11-22T07:00', true]);
  });
});

describe('after an outage', () => {
  test.each([
    ['none', undefined, '11-23T01:00', true],
    ['last', '11-23T00:00', '11-23T01:00', true],
    ['all', '11-22T06:00', '11-22T07:00', false],
  ])('with catchUp %s the job is that of %s, and the next time is %s', (catchUp, ...expected) => {
    expect(plan({ catchUp }, '2026-11-22T06:00Z', '2026-11-23T00:30Z')).toEqual(expected);
  });

  it('with catchUp none, a time within the last minute is not missed', () => {
    expect(plan({ catchUp: 'none' }, '2026-11-22T06:00Z', '2026-11-23T00:00:30Z')).toEqual([
      '11-23T00:00',
      '11-23T01:00',
      true,
    ]);
  });

  it('with catchUp all, the newest hundred are made up for', () => {
    const all = { catchUp: 'all' };
    // 100 times from 06:00 on, then 101.
    expect(plan(all, '2026-11-22T06:00Z', '2026-11-26T09:59Z')).toEqual(['11-22T06:00', '11-22T07:00', false]);
    expect(plan(all, '2026-11-22T06:00Z', '2026-11-26T10:00Z')).toEqual(['11-22T07:00', '11-22T08:00', true]);
    expect(plan(all, '2016-11-22T06:00Z', '2026-11-26T10:00Z')).toEqual(['11-22T07:00', '11-22T08:00', true]);
  });
});

describe('the jitter', () => {
  const jittery = trigger({ cron: '*/10 * * * *', jitterSeconds: 3_600 });
  const times = Array.from({ length: 100 }, (_, index) =>
    firstTimeAfter(new Date(Date.UTC(2026, 10, 22) + index * 600_000), jittery, of),
  );

  it('delays each time by another length, never up to the next time', () => {
    const delays = times.map(({ scheduledAt, dueAt }) => dueAt.getTime() - scheduledAt.getTime());
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(600_000);
    expect(new Set(delays).size).toBeGreaterThan(95);
    expect(Math.max(...delays)).toBeGreaterThan(500_000);
  });

  it('is at most what the trigger says', () => {
    for (let hour = 0; hour < 48; hour += 1) {
      const after = new Date(Date.UTC(2026, 10, 22, hour));
      const { scheduledAt, dueAt } = firstTimeAfter(after, trigger({ jitterSeconds: 30 }), of);
      expect(dueAt.getTime() - scheduledAt.getTime()).toBeGreaterThanOrEqual(0);
      expect(dueAt.getTime() - scheduledAt.getTime()).toBeLessThanOrEqual(30_000);
    }
  });

  it('is the same in every process, and differs between actions', () => {
    const after = new Date('2026-11-22T00:00Z');
    expect(firstTimeAfter(after, jittery, { ...of })).toEqual(firstTimeAfter(after, jittery, of));
    expect(firstTimeAfter(after, jittery, { ...of, action: 'other' })).not.toEqual(firstTimeAfter(after, jittery, of));
  });

  it('that is not over keeps its job from being created, however many times there are', () => {
    for (const { scheduledAt, dueAt } of times.slice(0, 30)) {
      const early = planStart(times[0]?.scheduledAt ?? scheduledAt, new Date(dueAt.getTime() - 1), jittery, of);
      expect(early.start?.scheduledAt.getTime() ?? 0).toBeLessThanOrEqual(scheduledAt.getTime());
      const due = planStart(times[0]?.scheduledAt ?? scheduledAt, dueAt, jittery, of);
      expect(due.start?.scheduledAt).toEqual(scheduledAt);
    }
  });
});
