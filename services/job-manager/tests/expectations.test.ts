import { describe, expect, it } from 'vitest';
import { dailyAt, expectationSite, hoursFromNow } from './expectation-rig.ts';
import { testConfiguration } from './test-configuration.ts';

const site = expectationSite();
const minuteMs = 60_000;

const after = (instant: Date, minutes: number): Date => new Date(instant.getTime() + minutes * minuteMs);
const manySchedulers = (now: Date) => Promise.all(Array.from({ length: 4 }, () => site.judgeAt(now)));

describe('files that are due', () => {
  it('are missed once after the grace, however many schedulers judge, and start the action once', async () => {
    const due = hoursFromNow(2);
    await site.expects({ cron: dailyAt(due), graceMinutes: 30 });
    await site.judgeAt(hoursFromNow(0));
    expect(await site.reaches('pending')).toMatchObject({ dueAt: due.toISOString(), files: 0 });
    await site.judgeAt(after(due, 30));
    expect((await site.list({ state: 'missed' })).expectations).toEqual([]);

    await manySchedulers(after(due, 31));
    await manySchedulers(after(due, 32));
    expect((await site.list({ state: 'missed' })).expectations).toMatchObject([{ dueAt: due.toISOString(), files: 0 }]);
    expect(await site.jobsOf('missed')).toEqual([
      {
        folder: '/outbox',
        expectation: 'orders',
        expectationOutcome: 'missed',
        dueAt: due.toISOString(),
        fileCount: '0',
      },
    ]);
    expect(await site.audited('AUD0070A')).toEqual([
      `Files of due/orders that were due at ${due.toISOString()} are missing: 0 of 1 have come`,
    ]);
    expect(await site.reaches('pending')).toMatchObject({ dueAt: after(due, 1_440).toISOString() });
  });

  it('are missed if fewer than min have come, and late when the rest comes', async () => {
    const due = hoursFromNow(-2);
    await site.expects({ cron: dailyAt(due), graceMinutes: 60 * 3, count: { min: 3 } });
    await site.judgeAt(hoursFromNow(-5));
    await site.platform.deliver('/inbox/one.due', Buffer.from('1'));
    await site.reaches('pending', 1);
    await site.expects({ cron: dailyAt(due), graceMinutes: 0, count: { min: 3 } });
    await manySchedulers(hoursFromNow(0));
    await site.reaches('missed', 1);
    expect(await site.jobsOf('missed')).toMatchObject([{ fileCount: '1' }]);
    expect(await site.audited('AUD0070A')).toEqual([expect.stringContaining('are missing: 1 of 3 have come')]);

    await site.platform.deliver('/inbox/two.due', Buffer.from('2'));
    await site.reaches('missed', 2);
    expect(await site.jobsOf('late')).toEqual([]);
    await site.platform.deliver('/inbox/three.due', Buffer.from('3'));
    expect(await site.reaches('late', 3)).toMatchObject({ dueAt: due.toISOString(), lastPath: '/inbox/three.due' });
    expect(await site.jobsOf('late')).toMatchObject([{ fileCount: '3', dueAt: due.toISOString() }]);
    expect(await site.audited('AUD0071A')).toEqual([
      `The files of due/orders that were due at ${due.toISOString()} came late; the last one is /inbox/three.due`,
    ]);
  });

  it('meet the due time within its window; more than max are unexpected, each of them', async () => {
    const due = hoursFromNow(2);
    await site.expects({ cron: dailyAt(due), windowMinutes: 300, count: { min: 2, max: 2 } });
    await site.platform.deliver('/inbox/one.due', Buffer.from('1'));
    await site.platform.deliver('/inbox/other.csv', Buffer.from('1'));
    await site.platform.deliver('/outbox/elsewhere.due', Buffer.from('1'));
    await site.reaches('pending', 1);
    expect(await site.jobsOf('met')).toEqual([]);
    await site.platform.deliver('/inbox/two.due', Buffer.from('2'));
    expect(await site.reaches('met')).toMatchObject({ files: 2, dueAt: due.toISOString(), kind: 'due' });
    await site.platform.deliver('/inbox/three.due', Buffer.from('3'));
    await site.platform.deliver('/inbox/four.due', Buffer.from('4'));
    expect(await site.reaches('unexpected', 2)).toMatchObject({ files: 2, kind: 'unexpected' });
    await manySchedulers(after(due, 1));
    expect((await site.list({ state: 'missed' })).expectations).toEqual([]);
    expect(await site.jobsOf('met')).toHaveLength(1);
    expect((await site.jobsOf('unexpected')).map((job) => job['fileCount'])).toEqual(['1', '2']);
    expect(await site.audited('AUD0072A')).toEqual([expect.stringContaining('/inbox/three.due')]);
  });

  it('are late after a missed due time, and one more before the next window is unexpected', async () => {
    const due = hoursFromNow(-3);
    await site.expects({ cron: dailyAt(due), windowMinutes: 60 });
    await site.judgeAt(hoursFromNow(-6));
    await site.judgeAt(hoursFromNow(-1));
    await site.reaches('missed');
    await site.platform.deliver('/inbox/late.due', Buffer.from('1'));
    expect(await site.reaches('late')).toMatchObject({ files: 1, dueAt: due.toISOString() });
    await site.platform.deliver('/inbox/again.due', Buffer.from('1'));
    expect(await site.reaches('unexpected')).toMatchObject({ files: 1 });
    expect(await site.jobsOf('late')).toHaveLength(1);
    expect(await site.jobsOf('unexpected')).toHaveLength(1);
  });

  it('that are not counted yet delay the judgement, and those that were set aside do not', async () => {
    const due = hoursFromNow(3);
    await site.expects({ cron: dailyAt(due), windowMinutes: 300 });
    await site.judgeAt(hoursFromNow(0));
    const event = {
      kind: 'stored',
      vfsId: site.platform.vfsId,
      path: '/inbox/x.due',
      occurredAt: new Date().toISOString(),
    };
    // Due in an hour: no consumer takes it before.
    await site.platform.database.query(
      `INSERT INTO outbox.events (id, topic, payload, next_attempt_at)
       VALUES (gen_random_uuid(), 'file-event', $1, now() + interval '1 hour')`,
      [JSON.stringify(event)],
    );
    await site.judgeAt(after(due, 1));
    expect((await site.list({ state: 'missed' })).expectations).toEqual([]);
    await site.platform.database.query(
      `UPDATE outbox.events SET next_attempt_at = 'infinity' WHERE topic = 'file-event'`,
    );
    await site.judgeAt(after(due, 1));
    expect((await site.list({ state: 'missed' })).expectations).toHaveLength(1);
    await site.platform.database.query(`DELETE FROM outbox.events WHERE topic = 'file-event'`);
  });

  it('are no longer due once the contract is removed, or is due at other times; what came of them stays', async () => {
    const due = hoursFromNow(4);
    await site.expects({ cron: dailyAt(due) });
    await site.judgeAt(hoursFromNow(0));
    await site.judgeAt(after(due, 1));
    const moved = hoursFromNow(20);
    await site.expects({ cron: dailyAt(moved) });
    await site.judgeAt(after(due, 2));
    expect((await site.list()).expectations).toMatchObject([
      { state: 'pending', dueAt: moved.toISOString() },
      { state: 'missed', dueAt: due.toISOString() },
    ]);
    await site.platform.apply(testConfiguration);
    await site.judgeAt(after(moved, 1));
    expect((await site.list()).expectations).toMatchObject([{ state: 'missed', dueAt: due.toISOString() }]);
    expect(await site.jobsOf('missed')).toHaveLength(1);
  });
});

describe('after an outage', () => {
  it('each missed due time is recorded, and the action starts once, for the newest', async () => {
    const due = hoursFromNow(5);
    await site.expects({ cron: dailyAt(due) });
    await site.judgeAt(hoursFromNow(0));
    await manySchedulers(after(due, 3 * 1_440 + 5));
    const missed = (await site.list({ state: 'missed' })).expectations.map(({ dueAt }) => dueAt).toSorted();
    expect(missed).toEqual([0, 1, 2, 3].map((days) => after(due, days * 1_440).toISOString()));
    expect((await site.jobsOf('missed')).map((job) => job['dueAt'])).toEqual(missed.slice(-1));
    expect(await site.audited('AUD0070A')).toHaveLength(4);
  });

  it('the newest 100 due times are judged', async () => {
    const now = hoursFromNow(0);
    await site.expects({ cron: '* * * * *' });
    await site.judgeAt(now);
    await site.judgeAt(after(now, 1_000));
    const { expectations } = await site.list({ maxItems: '1000' });
    const missed = expectations.filter(({ state }) => state === 'missed').map(({ dueAt }) => dueAt);
    expect(missed).toHaveLength(100);
    expect(missed.toSorted().at(0)).toBe(after(now, 900).toISOString());
    expect(expectations.filter(({ state }) => state === 'pending')).toHaveLength(1);
    expect(await site.jobsOf('missed')).toHaveLength(1);
  });
});

describe('when the clock changes', () => {
  it.each([
    ['a time that is skipped is due once, at the change', '2021-03-27T12:00Z', '2021-03-28T01:00:00.000Z'],
    ['a time that comes twice is due once, the first time', '2020-10-24T12:00Z', '2020-10-25T00:30:00.000Z'],
  ])('%s', async (_, begin, due) => {
    await site.expects({ cron: '30 2 * * *', timeZone: 'Europe/Berlin', graceMinutes: 5 });
    await site.judgeAt(begin);
    await site.judgeAt(after(new Date(due), 5));
    expect((await site.list({ state: 'missed' })).expectations).toEqual([]);
    for (const minutes of [6, 60, 66, 120]) await site.judgeAt(after(new Date(due), minutes));
    expect((await site.list({ state: 'missed' })).expectations).toMatchObject([{ dueAt: due }]);
    expect(await site.jobsOf('missed')).toMatchObject([{ dueAt: due }]);
  });
});
