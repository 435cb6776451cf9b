import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, describe, expect, it } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';
const path = `${api}/configuration/events`;
const stops: AbortController[] = [];

interface Followed {
  readonly status: number;
  /** The names of the events, in the order in which they were received. */
  readonly events: string[];
}

/** Follows the configuration, like `curl -N`. */
async function follow(bearer = site.manager.admin): Promise<Followed> {
  const stop = new AbortController();
  stops.push(stop);
  const response = await fetch(`${site.manager.url}${path}`, {
    headers: { authorization: `Bearer ${bearer}` },
    signal: stop.signal,
  });
  const events: string[] = [];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      events.push(
        ...[...decoder.decode(chunk, { stream: true }).matchAll(/^event: (\w+)$/gmu)].map(([, name = '']) => name),
      );
    }
  };
  void read().catch(() => undefined);
  if (response.ok) await waitFor(() => events.length > 0, { what: 'the first event' });
  return { status: response.status, events };
}

const changesIn = ({ events }: Followed) => events.filter((event) => event === 'change').length;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const createRole = (name: string, query = {}) =>
  site.manager.client.post(`${api}/roles`, {
    bearer: site.manager.admin,
    query,
    json: { name, permissions: ['jobs:read'] },
  });

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

describe('followers of the configuration', () => {
  it('are told within two seconds what the API and documents change, and not what a dry run would change', async () => {
    const followed = await follow();
    expect(followed.events[0]).toBe('ready');
    await wait(1_000);
    const before = changesIn(followed);
    expect((await createRole('Tried', { dryRun: 'true' })).status).toBe(200);
    await wait(1_000);
    expect(changesIn(followed)).toBe(before);

    expect((await createRole('Created')).status).toBe(201);
    await waitFor(() => changesIn(followed) > before, { what: 'the change over the API', timeoutMs: 2_000 });
    const applied = changesIn(followed);
    await site.platform.apply({
      ...testConfiguration,
      actors: [...testConfiguration.actors, { name: 'told', type: 'Partner' }],
    });
    await waitFor(() => changesIn(followed) > applied, { what: 'the applied change', timeoutMs: 2_000 });
  });

  it('are told of a burst of changes in few events', async () => {
    const followed = await follow();
    await wait(1_000);
    const before = changesIn(followed);
    const startedAt = performance.now();
    for (let number = 0; number < 20; number += 1) await createRole(`Burst ${number}`);
    await waitFor(() => changesIn(followed) > before, { what: 'the burst' });
    await wait(500);
    expect(changesIn(followed) - before).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 200));
  });

  it('cost PostgreSQL one connection, also when fifty consoles follow, and are bounded', async () => {
    const followers = await Promise.all(Array.from({ length: 50 }, () => follow()));
    expect(followers.every(({ events }) => events[0] === 'ready')).toBe(true);
    const refused = await site.manager.client.get(path, { bearer: site.manager.admin });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const listening = await site.platform.database.query(
      // Other databases of this PostgreSQL are those of other tests.
      `SELECT 1 AS one FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'waybill listen waybill_configuration'`,
    );
    expect(listening).toHaveLength(1);
    await createRole('Told to all');
    await waitFor(() => followers.every((one) => changesIn(one) > 0), { what: 'all to be told', timeoutMs: 2_000 });
  });

  it('need a login and the permission', async () => {
    expect((await site.manager.client.get(path)).status).toBe(401);
    expect((await site.manager.client.get(path, { bearer: 'nonsense' })).status).toBe(401);
    expect((await follow(site.manager.viewer)).status).toBe(403);
  });
});
