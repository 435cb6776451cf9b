import { once } from 'node:events';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { expectingConfiguration } from './expectation-configuration.ts';
import { schedulerRig } from './scheduler-rig.ts';

// A hundred due times, which are judged after an outage at most, take longer than any pause of this test.
const rig = schedulerRig({ msPerMinute: 1_000 });

const names = ['one', 'two', 'three', 'four'];

/** When each expectation was missed, in order. */
async function missedTimes(): Promise<Map<string, number[]>> {
  const rows = await rig.platform.database.query(
    `SELECT expectation, due_at FROM jobs.expectation_states WHERE state = 'missed' ORDER BY due_at`,
  );
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const { expectation, due_at: due } of rows) times.get(String(expectation))?.push(Number(due));
  return times;
}

const everyoneMissed = (count: number) =>
  waitFor(async () => [...(await missedTimes()).values()].every(({ length }) => length >= count), {
    what: `${count} missed due times of each expectation`,
  });

it('three schedulers, one of them killed in the middle of its transaction, miss each due time exactly once', async () => {
  await rig.platform.apply(expectingConfiguration({ cron: '* * * * *' }, names));
  const epochMs = Date.now();
  const schedulers = [rig.start(epochMs), rig.start(epochMs), rig.start(epochMs)];
  await everyoneMissed(2);

  // No job can be inserted: schedulers hold their locked expectations and wait.
  const blocker = await rig.platform.db.transaction();
  await blocker.raw('LOCK TABLE jobs.jobs IN SHARE ROW EXCLUSIVE MODE');
  const waiting = `SELECT pid FROM pg_stat_activity WHERE application_name = 'test scheduler'
    AND datname = current_database() AND wait_event_type = 'Lock'`;
  await waitFor(async () => (await rig.platform.database.query(waiting)).length === schedulers.length, {
    what: 'all schedulers to be inside their transactions',
  });
  const [victim] = schedulers;
  victim?.kill('SIGKILL');
  if (victim) await once(victim, 'exit');
  await blocker.rollback();
  const before = Math.max(...[...(await missedTimes()).values()].map(({ length }) => length));
  await everyoneMissed(before + 4);

  for (const child of schedulers.slice(1)) {
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  }
  for (const [name, times] of await missedTimes()) {
    const [first = 0] = times;
    expect(times, name).toEqual(times.map((_, minute) => first + minute * 60_000));
    const events = await rig.platform.database.query(`SELECT event_id FROM jobs.jobs WHERE contract_action = $1`, [
      `${name}-missed`,
    ]);
    const started = events.map(({ event_id: event }) =>
      Date.parse(String(event).split(':missed:')[0]?.replace('expectation:', '') ?? ''),
    );
    // Due times that were over together start one job, for the newest of them.
    expect(new Set(started).size).toBe(started.length);
    expect(started.filter((time) => !times.includes(time))).toEqual([]);
    expect(Math.max(...started)).toBe(times.at(-1));
    const records = await rig.platform.database.query(
      `SELECT payload ->> 'auditMessage' AS message FROM outbox.events
       WHERE topic = 'audit-event' AND payload ->> 'auditCode' = 'AUD0070A' AND payload ->> 'entityName' = $1`,
      [`due/${name}`],
    );
    expect(new Set(records.map(({ message }) => message)).size).toBe(times.length);
    expect(records).toHaveLength(times.length);
  }
});
