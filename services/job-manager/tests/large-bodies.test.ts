import { longestWaitMs, sendFourfold, watchEventLoop } from '@waybill/test-kit/processes/watch-event-loop';
import { beforeAll, describe, expect, it } from 'vitest';
import { dryRunConfiguration } from './dry-run-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';

beforeAll(() => site.platform.apply(dryRunConfiguration));

const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
const dryRun = (count: number): string => JSON.stringify({ workflow: 'route', path: '/a', variables: keys(count) });
const submission = (count: number): string =>
  JSON.stringify({ contractName: 'invoices', actionName: 'write-report', actionVariables: keys(count) });

/** Some 960 KB. */
const many = JSON.stringify(keys(75_000));

const bearers = {
  nobody: () => undefined,
  viewer: () => site.manager.viewer,
  admin: () => site.manager.admin,
} as const;

describe.each([
  ['nobody', 'POST', `${api}/auth/login`, many, 413],
  ['nobody', 'POST', `${api}/auth/refresh`, many, 413],
  ['nobody', 'POST', `${api}/auth/first-password`, many, 413],
  ['nobody', 'POST', `${api}/auth/second-factor`, many, 413],
  ['viewer', 'POST', `${api}/api-keys`, many, 413],
  ['admin', 'PATCH', `${api}/users/acme?dryRun=true`, many, 413],
  ['admin', 'PATCH', `${api}/users/acme?dryRun=true`, JSON.stringify(keys(5_900)), 409],
  ['admin', 'POST', `${api}/actors`, JSON.stringify(keys(5_900)), 400],
  ['admin', 'POST', `${api}/workflows/dry-run`, dryRun(60_000), 413],
  ['admin', 'POST', `${api}/workflows/dry-run`, dryRun(11_900), 200],
  ['admin', 'POST', '/job-manager/jobs', submission(60_000), 413],
  ['admin', 'POST', '/job-manager/jobs', submission(11_900), 201],
  ['admin', 'DELETE', `${api}/users/acme?dryRun=true`, many, 413],
] as const)('%s: %s %s', (who, method, path, body, status) => {
  const headers = { 'content-type': 'application/json' };
  const send = async (): Promise<number> => {
    const bearer = bearers[who]();
    const response = await site.manager.client.request(method, path, { body, headers, ...(bearer && { bearer }) });
    return response.status;
  };

  it(`with ${body.length} bytes keeps no other user waiting, and is answered with ${status}`, async () => {
    const loop = watchEventLoop();
    const others = sendFourfold(send);
    const ask = () => site.manager.client.get(`${api}/auth/permissions`, { bearer: site.manager.viewer });
    const wait = await longestWaitMs(ask, others);
    expect(await others).toEqual([status]);
    expect(loop.longestMs()).toBeLessThan(250);
    expect(wait).toBeLessThan(250);
  }, 60_000);
});

it('a submission that is refused leaves no job, and says the limit', async () => {
  const count = () => site.platform.database.query('SELECT count(*)::int AS jobs FROM jobs.jobs');
  const before = await count();
  const response = await site.manager.client.post('/job-manager/jobs', {
    body: submission(12_000),
    headers: { 'content-type': 'application/json' },
    bearer: site.manager.admin,
  });
  expect([response.status, response.json()]).toEqual([
    413,
    expect.objectContaining({ code: 'payload_too_large', detail: 'The body may have at most 12000 values' }),
  ]);
  expect(await count()).toEqual(before);
});
