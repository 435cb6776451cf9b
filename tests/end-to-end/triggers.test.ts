import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperator, type Operator } from './operator.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { createPartnerClient, type PartnerClient } from './triggers/partner-client.ts';
import { fileTriggers, triggerConfiguration, twins } from './triggers/platform-configuration.ts';
import { arrivals, departures, places, type Scenario, temporary } from './triggers/scenarios.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let operator: Operator;
let partner: PartnerClient;
let waitingEvents: () => Promise<number>;
let files = 0;

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  await writeFile(file, triggerConfiguration());
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
  operator = createOperator(platform.url);
  partner = resources.use(await createPartnerClient(platform));
  const db = connectPostgres({ url: platform.jobsDatabaseUrl, applicationName: 'test', poolSize: 1 });
  resources.defer(() => db.destroy());
  waitingEvents = async () => (await db('outbox.events').where({ topic: 'file-event' })).length;
});
afterAll(() => resources.disposeAsync());

const isOver = ({ status }: JobView): boolean => ['COMPLETED', 'ERROR', 'ABORTED'].includes(status);

/** The jobs of a contract when all events are processed and all of its jobs have ended. */
async function jobsOf(contract: string): Promise<JobView[]> {
  return await waitFor(
    async () => {
      if ((await waitingEvents()) > 0) return undefined;
      const jobs = await operator.jobs({ contract, maxItems: 1000 });
      return jobs.every(isOver) ? jobs : undefined;
    },
    { what: `the jobs of ${contract}` },
  );
}

/** How many jobs the events of a file have, by trigger and action, each of which is COMPLETED. */
async function countJobs(original: RegExp): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const trigger of fileTriggers) {
    for (const { contractAction, status, statusMessage, dfic } of await jobsOf(trigger)) {
      if (!original.test(String(dfic['original_filename']))) continue;
      const key = `${trigger} ${contractAction.replace(/-\d$/u, '')}${status === 'COMPLETED' ? '' : statusMessage}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}

function expectedCounts({ events }: Scenario): Record<string, number> {
  return Object.fromEntries(
    Object.entries(events).flatMap(([trigger, count]) => twins.map((twin) => [`${trigger} ${twin}`, count])),
  );
}

describe.each([
  ['a file that arrives', arrivals],
  ['where a file arrives', places],
  ['temporary names', temporary],
  ['what happens to a file later', departures],
])('one job for each event and action: %s:', (_what, scenarios) => {
  it.each(scenarios)('$name', async (scenario) => {
    const name = `file-${(files += 1)}`;
    await scenario.run(partner, name);
    expect(await countJobs(new RegExp(`^${name}\\.`, 'u'))).toEqual(expectedCounts(scenario));
  });
});

it('a file that a job writes starts NewFile, with the dataflow of the first file, and no IncomingTransfer', async () => {
  await partner.httpPut('/watched/chain.csv', 'a');
  const first = await jobsOf('NewFile');
  const chained = await jobsOf('chained');
  expect(chained.map(({ contractAction, status }) => [contractAction, status])).toEqual([['new', 'COMPLETED']]);
  const origin = first.find(({ dfic }) => dfic['original_filename'] === 'chain.csv');
  expect(chained[0]?.dfic['dfiid']).toBe(origin?.dfic['dfiid']);
});

it('what jobs write for a user is none of the transfers of the user', async () => {
  await partner.httpPut('/watched/own.csv', 'a');
  await jobsOf('NewFile');
  const bearer = await platform.adminToken();
  const q = encodeURIComponent('{auditCode="AUD0041A",dataoneUser="acme",fileName^="NewFile.first."}');
  const written = async () => {
    const path = `/platform-application/api/v1/audit/logs?page=0&limit=100&q=${q}`;
    return (await platform.http().request('GET', path, { bearer })).text;
  };
  await expect.poll(written).toContain('own.csv');
  const transfers = (await partner.http.get('/2.0/account/transfers?maxItems=500')).text;
  expect(transfers).toContain('"/watched/own.csv"');
  expect(transfers).not.toContain('"/done/');
});

it('a submission has one job, also when it is repeated with its extIPID', async () => {
  const bearer = await platform.adminToken();
  const submit = (actionName: string) =>
    partner.http.post('/job-manager/jobs', { bearer, json: { contractName: 'OnDemand', actionName, extIPID: 'once' } });
  const answers = await Promise.all(['first', 'second', 'first', 'second'].map(submit));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
  const jobs = await jobsOf('OnDemand');
  expect(jobs.map(({ contractAction, status }) => `${contractAction} ${status}`).toSorted()).toEqual([
    'first COMPLETED',
    'second COMPLETED',
  ]);
});

it('each minute has one job of each Time action', async () => {
  const minutesOf = async (): Promise<string[]> => {
    const jobs = await jobsOf('Time');
    return jobs.map(({ contractAction, createdAt }) => `${contractAction} ${createdAt.slice(0, 16)}`);
  };
  const found = await waitFor(
    async () => {
      const minutes = await minutesOf();
      return minutes.length >= 4 && minutes.length % 2 === 0 ? minutes : undefined;
    },
    { what: 'the jobs of two minutes', timeoutMs: 150_000 },
  );
  expect(new Set(found).size).toBe(found.length);
  expect(found.filter((name) => name.startsWith('first ')).length).toBe(found.length / 2);
});
