import { createMetrics, type Metrics } from '@waybill/service-kit/telemetry/metrics';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { takeDueSchedule } from '../src/adapters/triggers/schedule-store.ts';
import { createSchedulerEvents, type SchedulerEvents } from '../src/triggers/scheduler-events.ts';
import { startDueActions } from '../src/triggers/start-scheduler.ts';
import { syncSchedules } from '../src/triggers/sync-schedules.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { timeConfiguration, type TimeTriggers } from './time-configuration.ts';

let platform: TestPlatform;
let metrics: Metrics;
let events: SchedulerEvents;

beforeAll(async () => {
  platform = await startTestPlatform();
});

afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  metrics = createMetrics('test');
  events = createSchedulerEvents(platform.logger, metrics);
  await emptyJobs(platform.database);
  await platform.database.query('TRUNCATE jobs.schedules');
});

/** Applies the triggers, and has a scheduler see them at an instant. */
async function apply(at: string, triggers: TimeTriggers, options = {}): Promise<void> {
  await platform.apply(timeConfiguration(triggers, options));
  await syncSchedules(platform.db, () => new Date(at));
}

/** One round of a scheduler at an instant. */
async function startAt(at: string): Promise<void> {
  await startDueActions({
    db: platform.db,
    register: { site: testSite },
    clock: () => new Date(at),
    signal: new AbortController().signal,
    events,
    onJob: () => {},
  });
}

/** The times of the jobs, as `11-22T06:00`. */
async function started(action = 'daily'): Promise<string[]> {
  const rows = await platform.database.query(
    'SELECT event_id FROM jobs.jobs WHERE contract_action = $1 ORDER BY event_id',
    [action],
  );
  return rows.map((row) => String(row['event_id']).slice(10, 21));
}

const count = async (name: string): Promise<number> => {
  const line = (await metrics.text()).split('\n').find((text) => text.startsWith(`waybill_schedules_${name}_total{`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

const daily = { cron: '0 6 * * *' };

describe('a Time action', () => {
  it('starts one job at its time, not before and not twice', async () => {
    await apply('2026-11-22T05:00Z', { daily });
    await startAt('2026-11-22T05:59:59Z');
    expect(await started()).toEqual([]);
    await Promise.all(['2026-11-22T06:00Z', '2026-11-22T06:00Z', '2026-11-22T06:00Z'].map(startAt));
    await startAt('2026-11-22T06:00:01Z');
    expect(await started()).toEqual(['11-22T06:00']);
    expect(await count('started')).toBe(1);
    expect(await count('late')).toBe(0);
  });

  it('is not started twice for one time even if its schedule is lost', async () => {
    await apply('2026-11-22T05:00Z', { daily });
    await startAt('2026-11-22T06:00Z');
    await platform.database.query('DELETE FROM jobs.schedules');
    await syncSchedules(platform.db, () => new Date('2026-11-22T05:00Z'));
    await startAt('2026-11-22T06:00Z');
    expect(await started()).toEqual(['11-22T06:00']);
  });

  it('follows the clock of its zone', async () => {
    const berlin = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    await apply('2026-03-28T12:00Z', { daily: berlin });
    for (const at of ['2026-03-29T00:59:59Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z']) await startAt(at);
    await apply('2026-10-24T12:00Z', { daily: { ...berlin, catchUp: 'none' } });
    for (const at of ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-26T01:30Z']) await startAt(at);
    expect(await started()).toEqual(['03-29T01:00', '03-30T00:30', '10-25T00:30', '10-26T01:30']);
  });

  it('has a job with the variables of the contract, submitted by the scheduler', async () => {
    await apply('2026-11-22T05:00Z', { daily });
    await startAt('2026-11-22T06:00Z');
    const [job] = await platform.database.query(
      'SELECT submitted_by, contract_action_trigger, variables, chain_depth, file FROM jobs.jobs',
    );
    expect(job).toEqual({
      submitted_by: 'Waybill scheduler',
      contract_action_trigger: 'Time',
      variables: { folder: '/outbox', name: 'daily', text: 'written at its time' },
      chain_depth: 1,
      file: null,
    });
  });

  it('is delayed by its jitter, and by no more', async () => {
    await apply('2026-11-22T05:00Z', { daily: { ...daily, jitterSeconds: 600 } });
    const [row] = await platform.database.query('SELECT due_at FROM jobs.schedules');
    const dueAt = row?.['due_at'] as Date;
    expect(dueAt.getTime()).toBeGreaterThan(Date.parse('2026-11-22T06:00Z'));
    expect(dueAt.getTime()).toBeLessThanOrEqual(Date.parse('2026-11-22T06:10Z'));
    await startAt(new Date(dueAt.getTime() - 1).toISOString());
    expect(await started()).toEqual([]);
    await startAt(dueAt.toISOString());
    expect(await started()).toEqual(['11-22T06:00']);
  });
});

describe('after an outage', () => {
  test.each([
    ['none', []],
    ['last', ['11-25T06:00']],
    ['all', ['11-22T06:00', '11-23T06:00', '11-24T06:00', '11-25T06:00']],
  ])('with catchUp %s, the jobs are %j, and the next time is kept', async (catchUp, expected) => {
    await apply('2026-11-22T05:00Z', { daily: { ...daily, catchUp } });
    await startAt('2026-11-25T18:00Z');
    expect(await started()).toEqual(expected);
    expect(await count('late')).toBe(expected.length);
    expect(await count('skipped')).toBe(catchUp === 'all' ? 0 : 1);
    await startAt('2026-11-26T06:00Z');
    expect(await started()).toEqual([...expected, '11-26T06:00']);
  });

  it('of a year, all makes up for the newest hundred', async () => {
    await apply('2025-11-22T05:00Z', { daily: { cron: '*/5 * * * *', catchUp: 'all' } });
    await startAt('2026-11-22T05:02Z');
    const times = await started();
    expect(times).toHaveLength(100);
    expect([times[0], times.at(-1)]).toEqual(['11-21T20:45', '11-22T05:00']);
  });
});

describe('a configuration that is applied', () => {
  it('with another expression or zone starts from now', async () => {
    await apply('2026-11-22T05:00Z', { daily: { ...daily, catchUp: 'all' } });
    await apply('2026-11-22T05:30Z', { daily: { cron: '0 4 * * *', catchUp: 'all' } });
    await startAt('2026-11-22T12:00Z');
    expect(await started()).toEqual([]);
    await startAt('2026-11-23T04:00Z');
    expect(await started()).toEqual(['11-23T04:00']);
  });

  it('with another policy or jitter keeps the next time', async () => {
    await apply('2026-11-22T05:00Z', { daily });
    await apply('2026-11-22T06:30Z', { daily: { ...daily, catchUp: 'all' } });
    await startAt('2026-11-22T06:30Z');
    expect(await started()).toEqual(['11-22T06:00']);
  });

  it.each([
    ['removes the action', {}, {}],
    ['disables the contract', { daily }, { enabled: false }],
    ['changes the expression', { daily: { cron: '0 4 * * *' } }, {}],
  ])('and %s starts no job of before, though no scheduler has followed it yet', async (_, triggers, options) => {
    await apply('2026-11-22T05:00Z', { daily });
    await platform.apply(timeConfiguration(triggers, options));
    await startAt('2026-11-22T06:00Z');
    expect(await started()).toEqual([]);
  });

  it('and enables the contract again starts from now', async () => {
    await apply('2026-11-22T05:00Z', { daily: { ...daily, catchUp: 'all' } });
    await apply('2026-11-22T05:30Z', { daily }, { enabled: false });
    expect(await platform.database.query('SELECT FROM jobs.schedules')).toEqual([]);
    await apply('2026-11-24T05:30Z', { daily: { ...daily, catchUp: 'all' } });
    await startAt('2026-11-24T06:00Z');
    expect(await started()).toEqual(['11-24T06:00']);
  });
});

it('an action that cannot be started does not stop the others, and is tried again', async () => {
  await platform.database.query(`
    CREATE FUNCTION jobs.refuse_broken() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.contract_action = 'broken' THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER refuse_broken BEFORE INSERT ON jobs.jobs FOR EACH ROW EXECUTE FUNCTION jobs.refuse_broken()`);
  await apply('2026-11-22T05:00Z', { broken: { cron: '59 5 * * *', catchUp: 'all' }, daily });
  await startAt('2026-11-22T06:00Z');
  expect(await started()).toEqual(['11-22T06:00']);
  expect(await count('failed')).toBe(1);
  await platform.database.query('DROP FUNCTION jobs.refuse_broken() CASCADE');
  await startAt('2026-11-22T06:00:05Z');
  expect(await started('broken')).toEqual(['11-22T05:59']);
});

it('a scheduler that stops in the middle of a start holds up its action for some seconds, and no other', async () => {
  const [six, later] = ['2026-11-22T06:00Z', '2026-11-22T06:00:10Z'];
  await apply('2026-11-22T05:00Z', { daily, other: { cron: '1 6 * * *' } });
  const stopped = await platform.db.transaction();
  await takeDueSchedule(stopped, { clock: () => new Date(six), except: [] });
  await startAt('2026-11-22T06:01Z');
  expect([await started(), await started('other')]).toEqual([[], ['11-22T06:01']]);
  await waitFor(
    async () => {
      await startAt(later);
      return (await started()).length === 1;
    },
    { what: 'another scheduler to start the action', timeoutMs: 30_000 },
  );
  await stopped.rollback().catch(() => {});
});

it('the job manager runs the job of a time that has come', async () => {
  await platform.apply(timeConfiguration({ hourly: { cron: '0 * * * *' } }));
  await using manager = await startTestJobManager(platform);
  const job = await waitFor(
    async () => {
      await platform.database.query(
        `UPDATE jobs.schedules SET scheduled_at = date_trunc('hour', now()), due_at = date_trunc('hour', now())`,
      );
      return (await manager.jobs({ contractActionTrigger: 'Time' })).jobs[0];
    },
    { what: 'the job', timeoutMs: 30_000 },
  );
  const done = await manager.reaches(job.id, 'COMPLETED');
  expect(done).toMatchObject({ submittedBy: 'Waybill scheduler', contract: 'timed' });
  expect((await platform.read('/outbox/hourly.txt'))?.toString()).toBe('written at its time');
});
