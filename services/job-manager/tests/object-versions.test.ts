import { beforeEach, describe, expect, it } from 'vitest';
import { oneConfiguredManager, prefix, team, variables } from './configuration-requests.ts';

const { site, post, planOf, applied, audited } = oneConfiguredManager();

const tom = { collection: 'users', name: 'tom' };
const other = '"AAAAAAAAAAAAAAAAAAAAAA"';

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, json?: unknown, headers = {}) =>
  site.manager.client.request(method, `${prefix}/${path}`, {
    bearer: site.manager.admin,
    headers,
    ...(json !== undefined && { json }),
  });

const versionOf = async (path: string): Promise<string> => (await ask('GET', path)).headers.get('etag') ?? '';

/** The status of a response, and the code and the detail of a refusal. */
async function outcomeOf(request: ReturnType<typeof ask>) {
  const response = await request;
  if (response.status < 400) return [response.status];
  const { code, detail, errors = [] } = response.json() as { code: string; detail: string; errors?: object[] };
  return [response.status, code, ...(code === 'validation_failed' ? errors : [detail])];
}

const changed = [412, 'precondition_failed', 'The External User tom has another version'];

beforeEach(async () => {
  await applied(await planOf(team(), { variables }));
});

describe('a forced change of a version', () => {
  const force = (ifMatch: string, change: object = { patch: { enabled: false } }, query = '') =>
    outcomeOf(
      ask('POST', `configuration/force${query}`, { object: tom, reason: 'trial', ...change }, { 'If-Match': ifMatch }),
    );
  const forced = () => audited("payload ->> 'auditCode' = 'AUD0085A' AND payload -> 'context' ->> 'reason' = 'trial'");

  it('is made of the version alone, which no other write has changed, also as a dry run and as a deletion', async () => {
    const version = await versionOf('users/tom');
    const before = (await forced()).length;
    for (const query of ['', '?dryRun=true'])
      for (const change of [{ patch: { enabled: false } }, { delete: true }])
        for (const ifMatch of [other, `W/${version}`, version.slice(1, -1), '', ','])
          expect(await force(ifMatch, change, query), ifMatch).toEqual(changed);
    expect((await forced()).length).toBe(before);
    expect((await ask('GET', 'users/tom')).json()).toMatchObject({ enabled: true });

    expect(await force(version, undefined, '?dryRun=true')).toEqual([200]);
    expect(await force(`${other}, ${version}`)).toEqual([204]);
    expect(await force(version, { patch: { maxSessions: 9 } })).toEqual(changed);
    expect(await force(version, { delete: true })).toEqual(changed);
    expect(await force('*', { delete: true })).toEqual([204]);
    expect(await force('*', { delete: true })).toEqual([
      412,
      'precondition_failed',
      'The External User tom does not exist',
    ]);
    expect((await force('*'))[1]).toBe('entity_unknown');
    expect((await forced()).length).toBe(before + 2);
  });

  it('is refused after the source or the owner has changed, too', async () => {
    const version = await versionOf('users/tom');
    expect((await post('release', { source: 'team', objects: [tom] })).status).toBe(204);
    expect(await force(version)).toEqual(changed);
    expect((await post('adopt', { source: 'team', objects: [tom] })).status).toBe(204);
    expect(await force(version)).toEqual([204]);
    await applied(await planOf(team(), { variables }));
    expect(await force(version, { patch: { maxSessions: 9 } })).toEqual([204]);
  });

  it('is made once, of many at once', async () => {
    const version = await versionOf('users/tom');
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => force(version, { patch: { maxSessions: index + 2 } })),
    );
    expect(outcomes.filter(([status]) => status === 204)).toHaveLength(1);
    expect(outcomes.filter(([status]) => status !== 204)).toEqual(Array.from({ length: 7 }, () => changed));
  });
});

describe('a change of the owner of a version', () => {
  const pass = (kind: 'adopt' | 'release', objects: readonly object[]) =>
    outcomeOf(ask('POST', `configuration/${kind}`, { source: 'team', objects }));
  const sourceOf = async () => ((await ask('GET', 'users/tom')).json() as { source: string | null }).source;

  it('is made of that version alone, all or none, and can be repeated', async () => {
    const version = await versionOf('users/tom');
    const files = { collection: 'virtual-file-systems', name: 'umbrella-files' };
    expect(await pass('release', [files, { ...tom, ifMatch: other }])).toEqual(changed);
    expect((await ask('GET', 'virtual-file-systems/umbrella-files')).json()).toMatchObject({ source: 'team' });
    expect(await pass('release', [{ ...tom, ifMatch: `${other}, ${version}` }])).toEqual([204]);
    // The answer was lost: the request is made again.
    expect(await pass('release', [{ ...tom, ifMatch: version }])).toEqual([204]);
    expect(await sourceOf()).toBe(null);
    expect(await pass('adopt', [{ ...tom, ifMatch: version }])).toEqual(changed);
    expect((await ask('PATCH', 'users/tom', { maxSessions: 2 })).status).toBe(200);
    expect(await pass('adopt', [{ ...tom, ifMatch: await versionOf('users/tom') }])).toEqual([204]);
    expect(await pass('release', [{ ...tom, ifMatch: '*' }])).toEqual([204]);
    expect(await pass('adopt', [tom])).toEqual([204]);
    expect(await sourceOf()).toBe('team');
  });

  it('is refused with the place of the object in the request', async () => {
    const response = await ask('POST', 'configuration/release', {
      source: 'team',
      objects: [tom, { collection: 'users', name: 'unknown', ifMatch: '*' }],
    });
    expect(response.json()).toMatchObject({
      status: 404,
      code: 'entity_unknown',
      errors: [{ field: 'objects[1]', message: 'There is no External User unknown' }],
    });
    for (const ifMatch of ['AAAA', '', 'W/"AAAA"', null, `"${'x'.repeat(2_000)}"`])
      expect((await pass('release', [{ ...tom, ifMatch }])).slice(0, 2)).toEqual([400, 'validation_failed']);
    expect(await sourceOf()).toBe('team');
  });
});

describe('versions among several changes', () => {
  const users = ['ann', 'bob'] as const;
  const object = (name: string) => ({ collection: 'users', name });
  const change = (changes: readonly object[], query = '') =>
    outcomeOf(ask('POST', `configuration/changes${query}`, { changes }));
  const sessions = async () => {
    const found = await Promise.all(users.map((name) => ask('GET', `users/${name}`)));
    return found.map((response) => (response.json() as { maxSessions?: number }).maxSessions);
  };
  const patch = (name: string, maxSessions: number, ifMatch?: string) => ({
    object: object(name),
    patch: { maxSessions },
    ...(ifMatch !== undefined && { ifMatch }),
  });

  beforeEach(async () => {
    const create = { maxSessions: 1 };
    const created = users.map((name) => ({ object: { ...object(name), actor: 'acme' }, create }));
    await change(created);
  });

  it('are all compared before the first one: nothing is written if one is out of date', async () => {
    const [ann, bob] = [await versionOf('users/ann'), await versionOf('users/bob')];
    expect((await ask('PATCH', 'users/bob', { maxSessions: 2 })).status).toBe(200);
    const refusal = [412, 'precondition_failed', 'The External User bob has another version'];
    for (const query of ['', '?dryRun=true']) {
      expect(await change([patch('ann', 5, ann), patch('bob', 5, bob)], query)).toEqual(refusal);
      expect(await change([patch('ann', 5), { object: object('bob'), delete: true, ifMatch: bob }], query)).toEqual(
        refusal,
      );
    }
    expect(await sessions()).toEqual([1, 2]);
    const now = await versionOf('users/bob');
    expect(await change([patch('ann', 5, ann), patch('bob', 5, `${other}, ${now}`)], '?dryRun=true')).toEqual([200]);
    // Two changes of one object name the version that the caller has seen.
    expect(await change([patch('ann', 5, ann), patch('bob', 5, now), patch('bob', 6, now)])).toEqual([201]);
    expect(await sessions()).toEqual([5, 6]);
    // Older clients name no versions.
    expect(await change([patch('ann', 7), patch('bob', 7, '*')])).toEqual([201]);
  });

  it('are made by one of two requests at once', async () => {
    const [ann, bob] = [await versionOf('users/ann'), await versionOf('users/bob')];
    const outcomes = await Promise.all([
      change([patch('ann', 3, ann), patch('bob', 3, bob)]),
      change([patch('bob', 4, bob), patch('ann', 4, ann)]),
      change([patch('ann', 5), patch('bob', 5, bob)]),
    ]);
    expect(outcomes.filter(([status]) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(([status]) => status === 412)).toHaveLength(2);
    const [first, second] = await sessions();
    expect(first).toBe(second);
    expect(first).not.toBe(1);
  });

  it.each([
    ['without quotation marks', 'AAAA'],
    ['that are weak', 'W/"AAAA"'],
    ['that are empty', ''],
    ['with a quotation mark alone', '"'],
    ['with more than a star', '*, "AAAA"'],
    ['with a line break', '"AAAA"\n'],
    ['without end', `"${'x'.repeat(2_000)}"`],
    ['that could make a search slow', `${'"" , '.repeat(400)}x`],
    ['that are no text', ['"AAAA"']],
    ['that are null', null],
  ])('are refused %s', async (_, ifMatch) => {
    const [status, code, fault] = await change([{ object: object('ann'), patch: { maxSessions: 9 }, ifMatch }]);
    expect([status, code, fault]).toEqual([
      400,
      'validation_failed',
      expect.objectContaining({ field: 'changes[0].ifMatch' }),
    ]);
    expect(await sessions()).toEqual([1, 1]);
  });

  it('are not demanded of what is created, nor met by it', async () => {
    const create = { object: { ...object('eve'), actor: 'acme' }, create: {} };
    expect(await change([{ ...create, ifMatch: '*' }])).toEqual([
      400,
      'validation_failed',
      expect.objectContaining({ field: 'changes[0].ifMatch' }),
    ]);
    const remove = { object: object('eve'), delete: true, ifMatch: '*' };
    expect((await change([create, remove]))[1]).toBe('precondition_failed');
    expect((await change([create, patch('eve', 2, '*')]))[1]).toBe('entity_unknown');
    expect((await ask('GET', 'users/eve')).status).toBe(404);
  });
});
