import { describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';
const paths = ['/job-manager/jobs/events', `${api}/configuration/events`];
const password = 'Follows-Streams-1';

interface Stream {
  readonly path: string;
  isOpen(): boolean;
}

/** Follows a stream until the server ends it. */
async function follow(path: string, bearer: string): Promise<Stream> {
  const response = await fetch(site.manager.url + path, { headers: { authorization: `Bearer ${bearer}` } });
  expect(response.status).toBe(200);
  let isOpen = true;
  const read = async (): Promise<void> => {
    for await (const _chunk of response.body ?? []);
  };
  void read()
    .catch(() => {})
    .finally(() => (isOpen = false));
  return { path, isOpen: () => isOpen };
}

const request = async (method: string, path: string, json?: object, bearer = site.manager.admin) => {
  const response = await site.manager.client.request(method, `${api}/${path}`, { bearer, ...(json && { json }) });
  expect(response.status, response.text).toBeLessThan(300);
  return response;
};

/** A manager user with these roles, who follows everything with an access token and with an API key. */
async function createFollower(name: string, roles: readonly string[]) {
  await request('POST', 'manager-users', { name, password, roles });
  const logIn = async () => {
    const answer = await request('POST', 'auth/login', { username: name, password });
    return answer.json() as { accessToken: string; refreshToken: string };
  };
  const { accessToken: token, refreshToken } = await logIn();
  const key = (await request('POST', 'api-keys', { name: 'follow' }, token)).json() as { id: number; key: string };
  const withToken = await Promise.all(paths.map((path) => follow(path, token)));
  const withKey = await Promise.all(paths.map((path) => follow(path, key.key)));
  return { refreshToken, key, withToken, withKey, all: [...withToken, ...withKey] };
}

const openOf = (streams: readonly Stream[]) => streams.filter((stream) => stream.isOpen()).map(({ path }) => path);
/** Twice what is promised, for a busy machine. */
const soon = { timeout: 4_000, interval: 50 };

describe('the streams of events', () => {
  it('end soon after their user was disabled', async () => {
    const follower = await createFollower('disabled', ['Operators']);
    await request('PATCH', 'manager-users/disabled', { enabled: false });
    await expect.poll(() => openOf(follower.all), soon).toEqual([]);
  });

  it('end soon after their user has lost the role, and those of others go on', async () => {
    const other = await createFollower('keeps', ['Operators']);
    const follower = await createFollower('demoted', ['Operators']);
    await request('PATCH', 'manager-users/demoted', { roles: ['Auditors'] });
    await expect.poll(() => openOf(follower.all), soon).toEqual([]);
    expect(openOf(other.all)).toEqual([...paths, ...paths]);
    await request('DELETE', 'manager-users/keeps');
    await expect.poll(() => openOf(other.all), soon).toEqual([]);
  });

  it('end soon after the logout with the access token, and after the revocation with the API key', async () => {
    const follower = await createFollower('leaves', ['Operators']);
    await request('DELETE', `api-keys/${follower.key.id}`);
    await expect.poll(() => openOf(follower.withKey), soon).toEqual([]);
    expect(openOf(follower.withToken)).toEqual(paths);
    await request('POST', 'auth/logout', { refreshToken: follower.refreshToken });
    await expect.poll(() => openOf(follower.withToken), soon).toEqual([]);
  });

  it('end soon after the role of their user was limited to actors', async () => {
    await request('POST', 'actors', { name: 'initech', type: 'Partner' });
    await request('POST', 'roles', { name: 'Followers', permissions: ['jobs:read', 'configuration:read'] });
    const follower = await createFollower('limited', ['Followers']);
    await request('PATCH', 'roles/Followers', { actors: ['acme'] });
    await expect.poll(() => openOf(follower.all), soon).toEqual([]);
    const reached = await follow(`${api}/configuration/events`, follower.key.key);
    await request('PATCH', 'roles/Followers', { actors: ['initech'] });
    await expect.poll(() => openOf([reached]), soon).toEqual([]);
  });

  it('are counted as one use of an API key, however long they last', async () => {
    const countOf = async () =>
      /^waybill_api_key_requests_total\{[^}]*outcome="accepted"[^}]*\} (\d+)$/mu.exec(
        (await site.manager.client.get('/metrics')).text,
      )?.[1];
    const follower = await createFollower('counted', ['Operators']);
    const before = await countOf();
    // Nothing is to be counted here.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await countOf()).toBe(before);
    await request('PATCH', 'manager-users/counted', { enabled: false });
    await expect.poll(() => openOf(follower.all), soon).toEqual([]);
  });
});
