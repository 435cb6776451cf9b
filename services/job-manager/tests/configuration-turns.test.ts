import { problemSchema } from '@waybill/contracts/errors/problem';
import { expect, it } from 'vitest';
import { oneConfiguredManager, prefix } from './configuration-requests.ts';

const { site, post, planOf, applied } = oneConfiguredManager();

/** Each with a user, files and access. Some thousands are worked at in another process. */
const partners = (count: number) => ({
  source: 'team',
  actors: Array.from({ length: count }, (_, at) => ({
    name: `partner${at}`,
    type: 'Partner',
    users: [{ name: `user${at}` }],
    virtualFileSystems: [{ name: `files${at}`, folders: ['/inbox'] }],
    connectionContracts: [
      {
        name: 'sftp',
        cluster: 'cluster1',
        server: 'sftp-server',
        clauses: [{ user: `user${at}`, vfs: `files${at}` }],
      },
    ],
  })),
});

/** How many processes have begun to check a document. */
async function checksBegun(): Promise<number> {
  const { text } = await site.manager.client.get('/metrics');
  return Number(
    /waybill_configuration_processes_started_total\{[^}]*call="validate"[^}]*\} (\d+)/u.exec(text)?.[1] ?? 0,
  );
}

it('checks of one user are bounded, delay no plan of another, and are dropped when their clients have gone', async () => {
  const password = 'a-password-of-the-tests';
  const user = { json: { password, roles: ['Security officers'] }, bearer: site.manager.admin };
  expect((await site.manager.client.request('PUT', `${prefix}/manager-users/sec`, user)).status).toBe(201);
  const login = await site.manager.client.post(`${prefix}/auth/login`, { json: { username: 'sec', password } });
  const { accessToken: sec } = login.json() as { accessToken: string };
  const body = JSON.stringify({ document: JSON.stringify(partners(3_000)) });
  const client = new AbortController();
  const check = async (): Promise<Response> =>
    await fetch(`${site.manager.url}${prefix}/configuration/validate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sec}`, 'content-type': 'application/json' },
      body,
      signal: client.signal,
    });
  const answered: Response[] = [];
  const checks = Array.from({ length: 8 }, async () => answered.push(await check()));
  const ended = Promise.allSettled(checks);

  // One is checked, and four wait.
  await expect.poll(() => answered.length, { timeout: 20_000 }).toBe(3);
  const [refused] = answered;
  expect(answered.map(({ status }) => status)).toEqual([429, 429, 429]);
  expect([refused?.headers.get('retry-after'), refused?.headers.get('content-type')]).toEqual([
    '5',
    expect.stringContaining('application/problem+json'),
  ]);
  expect(problemSchema.parse(await refused?.json())).toMatchObject({ code: 'too_many_requests' });
  await expect.poll(checksBegun).toBe(1);

  const plan = await planOf(partners(1));
  await applied(plan);
  expect(answered).toHaveLength(3);

  await expect.poll(checksBegun).toBeGreaterThan(1);
  client.abort();
  await ended;
  expect((await post('validate', { document: JSON.stringify(partners(1)) })).json()).toEqual({
    isValid: true,
    errors: [],
  });
  const begun = await checksBegun();
  // Two for the first, which gave way to the plan and perhaps to the apply.
  expect(begun).toBeLessThanOrEqual(3);
  await applied(await planOf(partners(1)));
  expect(await checksBegun()).toBe(begun);
}, 60_000);

it('what is applied with an API key is audited with its number, also by another process', async () => {
  const json = { name: 'ci', permissions: ['configuration:*', 'identities:read'] };
  const created = await site.manager.client.post(`${prefix}/api-keys`, { json, bearer: site.manager.admin });
  const { id, key } = created.json() as { id: number; key: string };
  for (const count of [2, 300]) {
    const planned = await post('plan', { document: JSON.stringify(partners(count)) }, key);
    const { planId } = planned.json() as { planId: string };
    expect((await post('apply', { planId }, key)).status).toBe(200);
    const rows = await site.platform.database.query(
      `SELECT payload -> 'context' ->> 'apiKey' AS key, payload -> 'context' ->> 'address' AS address FROM outbox.events
        WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Actor' AND payload ->> 'entityName' = 'partner${count - 1}'
        ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ key: String(id), address: '127.0.0.1' }]);
  }
}, 60_000);
