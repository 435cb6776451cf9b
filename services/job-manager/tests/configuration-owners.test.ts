import type { ConfigurationDrift } from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { beforeEach, describe, expect, it } from 'vitest';
import { oneConfiguredManager, prefix, team, variables } from './configuration-requests.ts';
import { testConfiguration } from './test-configuration.ts';

const { site, post, planOf, applied, audited } = oneConfiguredManager();

const tom = { collection: 'users', name: 'tom' };
const vfs = { collection: 'virtual-file-systems', name: 'umbrella-files' };

const patch = (path: string, json: object) =>
  site.manager.client.request('PATCH', `${prefix}/${path}`, { json, bearer: site.manager.admin });

const find = async (path: string): Promise<unknown> =>
  (await site.manager.client.get(`${prefix}/${path}`, { bearer: site.manager.admin })).json();

const drift = async (): Promise<ConfigurationDrift['sources'][number]> => {
  const query = { source: 'team' };
  const shown = await site.manager.client.get(`${prefix}/configuration/drift`, { bearer: site.manager.admin, query });
  const [one] = (shown.json() as ConfigurationDrift).sources;
  if (!one) throw new Error('the source is unknown');
  return one;
};

beforeEach(async () => {
  await applied(await planOf(team(), { variables }));
});

describe('an object of a source', () => {
  it('is changed by its file alone: the refusal names the source and the file', async () => {
    for (const refused of [
      await patch('users/tom', { enabled: false }),
      await site.manager.client.request('PUT', `${prefix}/users/tom`, {
        json: { actor: 'umbrella' },
        bearer: site.manager.admin,
      }),
      await site.manager.client.request('DELETE', `${prefix}/users/tom`, { bearer: site.manager.admin }),
    ]) {
      expect([refused.status, refused.json()]).toEqual([
        409,
        expect.objectContaining({
          code: 'entity_owned',
          detail: expect.stringContaining('the source team, file team.yaml'),
        }),
      ]);
    }
    expect(await drift()).toEqual({ source: 'team', file: 'team.yaml', objects: [] });
  });

  it('is changed by force with a reason: it is drift and is audited, until the source applies', async () => {
    const forced = await post('force', { object: tom, patch: { enabled: false }, reason: 'key stolen' });
    expect([forced.status, forced.text]).toEqual([204, '']);
    expect((await post('force', { object: tom, patch: { groups: [] }, reason: 'and more' })).status).toBe(204);
    expect(await find('users/tom')).toMatchObject({ enabled: false, source: 'team' });
    expect((await drift()).objects).toEqual([
      expect.objectContaining({
        cause: 'forced',
        entityType: 'External User',
        name: 'tom',
        owner: 'team',
        reason: 'and more',
        changedBy: 'admin',
        differences: expect.arrayContaining([
          { setting: 'enabled', before: true, after: false },
          { setting: 'groups', before: ['clerks'], after: [] },
        ]),
      }),
    ]);
    expect(await audited("payload -> 'context' ->> 'reason' = 'key stolen'")).toEqual([
      { code: 'AUD0085A', user: 'admin', name: 'tom' },
    ]);
    const undoing = await planOf(team(), { variables });
    expect(undoing.changes.map(({ name, change }) => [name, change])).toEqual([['tom', 'modified']]);
    await applied(undoing);
    expect((await drift()).objects).toEqual([]);
    expect(await find('users/tom')).toMatchObject({ enabled: true, groups: ['clerks'] });
  });

  it('is deleted by force, and comes back with the source', async () => {
    expect((await post('force', { object: tom, delete: true, reason: 'gone' })).status).toBe(204);
    const [gone] = (await drift()).objects;
    expect(gone).toMatchObject({ cause: 'forced', name: 'tom' });
    expect(gone).not.toHaveProperty('owner');
    expect((await planOf(team(), { variables })).counts).toEqual({ created: 1, modified: 0, deleted: 0 });
  });

  it('is not forced once it belongs to the API, which nothing could undo', async () => {
    expect((await post('release', { source: 'team', objects: [vfs] })).status).toBe(204);
    for (const change of [{ patch: { folders: [] } }, { delete: true }]) {
      for (const query of ['?dryRun=true', '']) {
        const refused = await post(`force${query}`, { object: vfs, reason: 'why not', ...change });
        expect([refused.status, refused.json()]).toEqual([
          409,
          expect.objectContaining({
            code: 'entity_owned',
            detail: 'VFS umbrella-files belongs to the API: change it without force',
          }),
        ]);
      }
    }
    expect(await find('virtual-file-systems/umbrella-files')).toMatchObject({ folders: ['/inbox', '/outbox/new'] });
    expect((await post('adopt', { source: 'team', objects: [vfs] })).status).toBe(204);
  });

  it('passes to the API and back, and is a conflict meanwhile', async () => {
    expect((await post('release', { source: 'team', objects: [tom], reason: 'moves' })).status).toBe(204);
    expect((await post('release', { source: 'team', objects: [tom] })).status).toBe(204);
    expect((await patch('users/tom', { maxSessions: 3 })).status).toBe(200);
    expect((await drift()).objects).toMatchObject([
      { cause: 'released', owner: null, differences: [{ setting: 'maxSessions', after: 3 }] },
    ]);
    const conflict = await post('plan', { document: JSON.stringify(team()), variables });
    expect([conflict.status, conflict.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: [
          {
            field: 'actors[0].users[0].name',
            message: expect.stringMatching(
              /^External User tom belongs to the API: .*`waybill adopt users tom --source team`$/u,
            ),
          },
        ],
      }),
    ]);
    expect((await post('adopt', { source: 'team', objects: [tom] })).status).toBe(204);
    expect((await planOf(team(), { variables })).changes).toMatchObject([{ name: 'tom', change: 'modified' }]);
    const codes = await audited(
      "payload ->> 'entityName' = 'tom' AND payload ->> 'auditCode' IN ('AUD0083A', 'AUD0084A')",
    );
    expect(codes.map(({ code }) => code)).toEqual(['AUD0084A', 'AUD0083A']);
  });

  it('is a conflict in the plan of another source, which names the source and its file', async () => {
    const other = { ...team(), source: 'other' };
    const conflict = await post('plan', { document: JSON.stringify(other), variables });
    const owned = 'belongs to the source team, file team.yaml';
    expect([conflict.status, conflict.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: [
          { field: 'actors[0].name', message: `Actor umbrella ${owned}` },
          { field: 'actors[0].users[0].name', message: `External User tom ${owned}` },
          { field: 'actors[0].virtualFileSystems[0].name', message: `VFS umbrella-files ${owned}` },
        ],
      }),
    ]);
  });

  it('does not pass to a source from another one, and all objects pass or none', async () => {
    const taken = await post('adopt', { source: 'other', objects: [tom] });
    expect([taken.status, taken.json()]).toEqual([409, expect.objectContaining({ code: 'entity_owned' })]);
    expect((await post('release', { source: 'other', objects: [tom] })).status).toBe(409);
    expect((await post('release', { source: 'team', objects: [tom, { ...vfs, name: 'none' }] })).status).toBe(404);
    expect(await find('users/tom')).toMatchObject({ source: 'team' });
  });

  it.each([
    ['force without a reason', 'force', { object: tom, patch: {} }],
    ['force without a change', 'force', { object: tom, reason: 'x' }],
    ['force with two changes', 'force', { object: tom, patch: {}, delete: true, reason: 'x' }],
    ['force of no collection', 'force', { object: { collection: '__proto__', name: 'x' }, patch: {}, reason: 'x' }],
    ['a reason without end', 'force', { object: tom, patch: {}, reason: 'x'.repeat(501) }],
    ['adoption of nothing', 'adopt', { source: 'team', objects: [] }],
    ['adoption by no source', 'adopt', { source: '', objects: [tom] }],
    ['too many objects', 'release', { source: 'team', objects: Array.from({ length: 1_001 }, () => tom) }],
  ])('refuses %s, and refuses users without the permission', async (_, path, body) => {
    expect((await post(path, body)).status).toBe(400);
    expect((await post(path, body, site.manager.viewer)).status).toBe(403);
  });

  it('that is broken does not keep others from being changed', async () => {
    await site.platform.database.query(
      `UPDATE directory.contracts SET definition = jsonb_set(definition, '{queue}', '"no such queue"')`,
    );
    const created = await site.manager.client.post(`${prefix}/users`, {
      json: { name: 'ann', actor: 'acme' },
      bearer: site.manager.admin,
    });
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const wrong = {
      name: 'x',
      actor: 'acme',
      type: 'Input',
      queue: 'none',
      actions: [{ name: 'a', trigger: { type: 'OnDemand' }, workflow: 'pack' }],
    };
    const refused = await site.manager.client.post(`${prefix}/contracts`, { json: wrong, bearer: site.manager.admin });
    expect(refused.json()).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining({ field: 'queue' })]),
    });
    await site.platform.apply(testConfiguration);
  });
});
