import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { timeConfiguration } from './time-configuration.ts';

let platform: TestPlatform;
const children: ChildProcess[] = [];

beforeEach(async () => {
  platform = await startTestPlatform();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await platform?.[Symbol.asyncDispose]();
});

function spawnScheduler(epochMs: number): ChildProcess {
  const script = fileURLToPath(new URL('scheduler-process.ts', import.meta.url));
  const env = spawnEnvironment({
    DATABASE_URL: platform.env['DATABASE_URL'] ?? '',
    EPOCH_MS: String(epochMs),
    MS_PER_MINUTE: '250',
  });
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return child;
}

/** The times of the jobs of each action, in order. */
async function startedTimes(): Promise<Map<string, number[]>> {
  const rows = await platform.database.query(
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
  await platform.apply(timeConfiguration(Object.fromEntries(names.map((name) => [name, minutely]))));
  const epochMs = Date.now();
  const schedulers = [spawnScheduler(epochMs), spawnScheduler(epochMs), spawnScheduler(epochMs)];
  await everyActionHas(5);

  // No job can be inserted: schedulers hold their locked schedules and wait.
  const blocker = await platform.db.transaction();
  await blocker.raw('LOCK TABLE jobs.jobs IN SHARE ROW EXCLUSIVE MODE');
  const waiting = `SELECT pid FROM pg_stat_activity WHERE application_name = 'test scheduler'
    AND datname = current_database() AND wait_event_type = 'Lock'`;
  await waitFor(async () => (await platform.database.query(waiting)).length === schedulers.length, {
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
