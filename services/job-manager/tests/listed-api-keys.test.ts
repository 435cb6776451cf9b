import { describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';
import { expectRefusedPages, walkList } from './walk-list.ts';

const api = '/platform-application/api/v1';
const site = oneJobManager();

async function create(json: object): Promise<void> {
  const response = await site.manager.client.post(`${api}/api-keys`, { json, bearer: site.manager.admin });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
}

describe('the list of API keys', () => {
  const path = `${api}/api-keys`;
  const expiries = `${api}/expiries`;

  it('comes page by page, as does what expires, each key once', async () => {
    // They expire at the same time, and some have the same name as those of another user.
    const expires = '2027-01-31';
    for (const name of ['page-a', 'page-b', 'page-c', 'page-d', 'page-e']) await create({ name, expires });
    const query = { maxItems: '2' };
    const keys = await walkList<{ id: number; name: string }>(site.manager, {
      path,
      bearer: site.manager.admin,
      query,
    });
    const ids = keys.flat().map(({ id }) => id);
    expect(keys.length).toBeGreaterThan(2);
    expect(keys.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    const ends = await walkList<{ kind: string; name: string }>(site.manager, {
      path: expiries,
      bearer: site.manager.admin,
      query,
    });
    const names = (items: readonly { name: string }[]) => items.map(({ name }) => name).toSorted();
    expect(names(ends.flat().filter(({ kind }) => kind === 'api-key'))).toEqual(names(keys.flat()));
    const whole = await site.manager.client.get(expiries, { bearer: site.manager.admin, query: { maxItems: '1000' } });
    expect(ends.flat()).toEqual((whole.json() as { items: unknown[] }).items);
    const withUser = { path, bearer: site.manager.admin, query: { user: 'viewer' } };
    expect(
      (await walkList<{ user: string }>(site.manager, withUser)).flat().every(({ user }) => user === 'viewer'),
    ).toBe(true);
  });

  it.each([path, expiries])('refuses cursors and sizes of pages that are wrong: %s', (address) =>
    expectRefusedPages(site.manager, { path: address, bearer: site.manager.admin }),
  );
});
