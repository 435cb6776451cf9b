import { once } from 'node:events';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { schedulerRig } from './scheduler-rig.ts';
import { timeConfiguration } from './time-configuration.ts';

const rig = schedulerRig({ msPerMinute: 250 });

/** The times of the jobs of each action, in order. */
async function startedTimes(): Promise<Map<string, number[]>> {
  const rows = await rig.platform.database.query(
    `SELECT contract_action, event_id FROM jobs.jobs WHERE contract_action_trigger = 'Time'`,
  );
  const times = new Map<string, number[]>();
  for (const { contract_action: action, event_id: event } of rows) {
    const time = Date.parse(String(event).replace('time:', ''));
    times.set(String(action), [...(times.get(String(action)) ?? []), time]);
  }
  for (const list of times.values()) list.sort((one, other) => one - other);
  return times;
}

const names = ['one', 'two', 'three', 'four'];
const everyActionHas = (count: number) =>
  waitFor(
    async () => {
      const times = await startedTimes();
      const least = Math.min(...names.map((name) => times.get(name)?.length ?? 0));
      if (least < count) throw new Error(`an action has ${least} jobs`);
      return true;
    },
    { what: `${count} jobs of each action`, timeoutMs: 60_000 },
  );

it('three schedulers, one of them killed in the middle of its transaction, create exactly one job for each time', async () => {
  const minutely = { cron: '* * * * *', catchUp: 'all' };
  await rig.platform.apply(timeConfiguration(Object.fromEntries(names.map((name) => [name, minutely]))));
  const epochMs = Date.now();
  const schedulers = [rig.start(epochMs), rig.start(epochMs), rig.start(epochMs)];
  await everyActionHas(5);

  // No job can be inserted: schedulers hold their locked schedules and wait.
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
  await everyActionHas(25);

  for (const child of schedulers.slice(1)) {
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  }
  for (const [name, times] of await startedTimes()) {
    const [first = 0] = times;
    const everyMinute = Array.from({ length: times.length }, (_, minute) => first + minute * 60_000);
    expect(times, name).toEqual(everyMinute);
  }
});
