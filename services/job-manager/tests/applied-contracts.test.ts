import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

let platform: TestPlatform;
let manager: TestJobManager;

beforeEach(async () => {
  platform = await startTestPlatform();
  manager = await startTestJobManager(platform);
});

afterEach(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const withoutContracts = {
  ...testConfiguration,
  actors: testConfiguration.actors.map((actor) => ({ ...actor, contracts: [] })),
};

const fileEvents = async (): Promise<number> =>
  (await platform.database.query(`SELECT FROM outbox.events WHERE topic = 'file-event'`)).length;

it('a file that no contract listens to creates no event', async () => {
  await platform.apply(withoutContracts);
  await manager[Symbol.asyncDispose]();
  await platform.deliver('/inbox/unheard.csv', Buffer.from('x'));
  expect(await fileEvents()).toBe(0);
  await platform.apply(testConfiguration);
  await platform.deliver('/inbox/heard.csv', Buffer.from('x'));
  expect(await fileEvents()).toBe(1);
  manager = await startTestJobManager(platform);
  await waitFor(() => platform.read('/outbox/heard.csv.gz'), { what: 'the job' });
  expect(await platform.read('/outbox/unheard.csv.gz')).toBeUndefined();
});

it('a contract starts for every file that arrives after it was applied, even during a stream of files', async () => {
  await platform.apply(withoutContracts);
  const stop = new AbortController();
  let arrived = 0;
  const arrivals = (async () => {
    while (!stop.signal.aborted) {
      arrived += 1;
      await platform.deliver(`/inbox/before-${arrived}.csv`, Buffer.from('x'));
    }
  })();
  await waitFor(() => arrived > 5, { what: 'files' });
  await platform.apply(testConfiguration);
  const names = Array.from({ length: 10 }, (_, index) => `after-${index}.csv`);
  await Promise.all(names.map((name) => platform.deliver(`/inbox/${name}`, Buffer.from('y'))));
  stop.abort();
  await arrivals;
  for (const name of names) {
    await waitFor(() => platform.read(`/outbox/${name}.gz`), { what: `the job of ${name}`, timeoutMs: 20_000 });
  }
});
