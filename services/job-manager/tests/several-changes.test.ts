import { afterEach, describe, expect, it } from 'vitest';
import {
  oneConfiguredManager,
  partnerChanges as partner,
  prefix,
  removeOwned,
  tracesOfChanges,
} from './configuration-requests.ts';

const { site, post } = oneConfiguredManager();

const readUser = (name: string) =>
  site.manager.client.request('GET', `${prefix}/users/${name}`, { bearer: site.manager.admin });

afterEach(() => removeOwned(site.platform.database));

const traces = () => tracesOfChanges(site.platform.database);

describe('several changes at once', () => {
  it('are all made or none, and are audited', async () => {
    const [first, ...others] = partner('hooli');
    const broken = [...others.slice(0, 2), { ...others[2], create: { ...others[2]?.create, cluster: 'nowhere' } }];
    const before = await traces();
    const refused = await post('changes', { changes: [first, ...broken] });
    expect([refused.status, refused.json()]).toEqual([400, expect.objectContaining({ code: 'validation_failed' })]);
    expect(await traces()).toEqual(before);
    expect((await post('changes', { changes: [first, ...others] })).status).toBe(201);
    expect((await readUser('hooli-user')).json()).toMatchObject({ actor: 'hooli', source: null });
    const again = await post('changes', { changes: [first, ...others] });
    expect([again.status, again.json()]).toEqual([409, expect.objectContaining({ code: 'entity_exists' })]);
    for (const changes of [[], [{ object: first?.object }], Array.from({ length: 101 }, () => first)])
      expect((await post('changes', { changes })).status).toBe(400);
  });
});

describe('a refusal of several changes', () => {
  const named = async (changes: readonly unknown[]) => {
    const refusals = [];
    for (const query of ['?dryRun=true', '']) {
      const response = await post(`changes${query}`, { changes });
      const { code, errors = [] } = response.json() as { code?: string; errors?: { field: string }[] };
      refusals.push([response.status, code, ...errors.map(({ field }) => field)]);
    }
    expect(refusals[1]).toEqual(refusals[0]);
    return refusals[0];
  };
  const [actor, user] = partner('hooli');
  const object = { collection: 'users', name: 'hooli-user' };

  it('names the change that is refused, and nothing of the others is made', async () => {
    const before = await traces();
    const unknown = { object: { collection: 'users', name: 'unknown' }, patch: { enabled: false } };
    expect(await named([actor, unknown, user])).toEqual([404, 'entity_unknown', 'changes[1]']);
    expect(await named([actor, user, actor])).toEqual([409, 'entity_exists', 'changes[2]']);
    expect(await named([actor, { ...unknown, ifMatch: '*' }])).toEqual([404, 'entity_unknown', 'changes[1]']);
    expect(await named([actor, { object: unknown.object, delete: true, ifMatch: '"x"' }])).toEqual([
      412,
      'precondition_failed',
      'changes[1]',
    ]);
    const inUse = await named([actor, user, { object: { collection: 'actors', name: 'hooli' }, delete: true }]);
    expect(inUse?.slice(0, 3)).toEqual([409, 'entity_in_use', 'changes[2]']);
    expect(await traces()).toEqual(before);
  });

  it('names the settings that are wrong with their place in the request', async () => {
    const wrong = { object: { ...object, actor: 'hooli' }, create: { maxSessions: 'many' } };
    expect(await named([actor, wrong])).toEqual([400, 'validation_failed', 'changes[1].create.maxSessions']);
    expect(await named([actor, user, { object, patch: { maxSessions: -1 } }])).toEqual([
      400,
      'validation_failed',
      'changes[2].patch.maxSessions',
    ]);
    const renamed = { object: { ...object, actor: 'hooli' }, create: { name: 'other' } };
    expect(await named([actor, renamed])).toEqual([400, 'validation_failed', 'changes[1].create.name']);
    const moved = { object: { ...object, actor: 'hooli' }, create: { actor: 'acme' } };
    expect(await named([actor, moved])).toEqual([400, 'validation_failed', 'changes[1].create.actor']);
    const owned = { object: { ...object, actor: 'hooli' }, create: { source: 'default' } };
    expect(await named([actor, owned])).toEqual([400, 'validation_failed', 'changes[1].create.source']);
  });

  it('names the actor that is missing where the object is named', async () => {
    const missing = [400, 'validation_failed', 'changes[1].object.actor'];
    for (const create of [{}, { actor: 'hooli' }, { name: 'hooli-user', actor: 'hooli' }])
      expect(await named([actor, { object, create }])).toEqual(missing);
    for (const collection of ['groups', 'connection-contracts'])
      for (const change of [{ patch: {} }, { delete: true }])
        expect(await named([actor, { object: { collection, name: 'x' }, ...change }])).toEqual(missing);
    const connection = { type: 'smtp', host: 'mail.example.org', from: 'a@example.org' };
    const shared = { collection: 'client-connections', name: 'mail' };
    expect(await named([actor, { object: shared, create: { ...connection, actor: 'hooli' } }])).toEqual(missing);
    expect((await post('changes?dryRun=true', { changes: [{ object: shared, create: connection }] })).status).toBe(200);
  });
});

describe('patches among several changes', () => {
  it('change what those before them create, and refuse what no patch may do', async () => {
    const [actor, user] = partner('hooli');
    const object = { collection: 'users', name: 'hooli-user' };
    const patched = await post('changes', { changes: [actor, user, { object, patch: { maxSessions: 3 } }] });
    expect([patched.status, patched.text]).toEqual([201, expect.stringContaining('maxSessions')]);
    expect((await readUser('hooli-user')).json()).toMatchObject({ actor: 'hooli', maxSessions: 3 });
    const again = [{ object, delete: true }, user, { object, patch: { maxSessions: 4 } }];
    expect((await post('changes', { changes: again })).status).toBe(201);

    const refusalOf = async (change: object) => {
      const response = await post('changes', { changes: [change] });
      const { code, errors = [] } = response.json() as { code?: string; errors?: { field: string }[] };
      return [response.status, code, ...errors.map(({ field }) => field)];
    };
    for (const [field, patch] of Object.entries({
      actor: [{ actor: 'acme' }, { actor: null }, { actor: {} }],
      name: [{ name: 'other' }, { name: null }, { name: 7 }],
      password: [{ password: null }],
    }).flatMap(([field, patches]) => patches.map((patch): [string, object] => [field, patch])))
      expect(await refusalOf({ object, patch }), JSON.stringify(patch)).toEqual([
        400,
        'validation_failed',
        `changes[0].patch.${field}`,
      ]);
    const absent = { collection: 'users', name: 'unknown' };
    expect(await refusalOf({ object: absent, patch: {} })).toEqual([404, 'entity_unknown', 'changes[0]']);
    for (const [field, value] of Object.entries({ name: 7, actor: null }))
      expect(await refusalOf({ object: { ...absent, actor: 'hooli' }, create: { [field]: value } })).toEqual([
        400,
        'validation_failed',
        `changes[0].create.${field}`,
      ]);
  });
});
