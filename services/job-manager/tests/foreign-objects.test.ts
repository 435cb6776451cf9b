import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { isNamedInActor } from '@waybill/directory/sources/entity-target';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';
const permissions = ['configuration:*', 'identities:*', 'jobs:*', 'sessions:*'];

const ownVfs = 'own-virtual-file-systems';
const daily = { name: 'daily', path: '/', filePattern: '*', schedule: { cron: '0 6 * * *', timeZone: 'UTC' } };

/** What each kind of objects of actors needs, without name and actor. */
const settings: Readonly<Record<string, object>> = {
  actors: { type: 'Partner' },
  users: {},
  groups: {},
  'virtual-file-systems': {},
  'connection-contracts': {
    cluster: 'cluster1',
    server: 'sftp-server',
    clauses: [{ user: 'own-users', vfs: ownVfs }],
  },
  'client-connections': { type: 'clamav', host: 'clamav.example.org' },
  'pgp-keys': { publicKey: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----' },
  contracts: { type: 'Output', actions: [action({ vfs: ownVfs })] },
};
const kinds = administeredResources.filter(({ ofActor, collection }) => ofActor !== 'none' || collection === 'actors');
/** The last letter differs, so that the one would be proposed for the other. */
const [foreign, ghost] = ['the-foreign-x', 'the-foreign-y'] as const;

let gina: string;

beforeAll(async () => {
  const create = async (collection: string, json: object) => {
    const { status, text } = await site.manager.client.post(`${api}/${collection}`, {
      json,
      bearer: site.manager.admin,
    });
    if (status !== 201) throw new Error(`${collection}: ${text}`);
  };
  await create('actors', { name: foreign, type: 'Partner' });
  await create('actors', { name: 'globex', type: 'Partner' });
  for (const { collection } of kinds.filter(({ ofActor }) => ofActor !== 'none')) {
    const of = (actor: string, user: string, vfs: string) => ({
      ...settings[collection],
      ...(collection === 'connection-contracts' && { clauses: [{ user, vfs }] }),
      ...(collection === 'contracts' && { actions: [action({ vfs })] }),
      actor,
    });
    await create(collection, { ...of(foreign, foreign, foreign), name: foreign });
    await create(collection, { ...of('globex', 'own-users', ownVfs), name: `own-${collection}` });
  }
  await create('roles', { name: 'Team', permissions, actors: ['globex'] });
  await create('manager-users', { name: 'gina', password, roles: ['Team'] });
  const login = await site.manager.client.post(`${api}/auth/login`, { json: { username: 'gina', password } });
  gina = (login.json() as { accessToken: string }).accessToken;
});

type Headers = Readonly<Record<string, string>>;
/** A request about a name. */
type Ask = (name: string) => readonly [method: string, path: string, json?: object | undefined, headers?: Headers];

async function answerTo(ask: Ask, name: string): Promise<readonly [number, string]> {
  const [method, path, json, headers] = ask(name);
  const response = await site.manager.client.request(method, `${api}/${path}`, {
    bearer: gina,
    ...(json && { json }),
    ...(headers && { headers }),
  });
  return [response.status, plain(response, name)];
}

/** The text without what differs between any two requests. */
function plain({ text }: HttpResponse, name: string): string {
  return text.replaceAll(name, '*').replace(/"requestId":"[^"]+"/u, '');
}

async function expectSame(title: string, ask: Ask): Promise<void> {
  const known = await answerTo(ask, foreign);
  expect([title, ...known]).toEqual([title, ...(await answerTo(ask, ghost))]);
}

const anyVersion = { 'if-match': '*' };
const aVersion = { 'if-match': '"AAAAAAAAAAAAAAAAAAAAAA"' };

describe('to a role that is limited to an actor, what another actor has is what does not exist', () => {
  it('for every kind of objects that belong to actors', () => {
    expect(kinds.map(({ collection }) => collection).toSorted()).toEqual(Object.keys(settings).toSorted());
  });

  it.each(kinds)('as the object of a request: $collection', async ({ collection }) => {
    const at = (name: string) => `${collection}/${name}`;
    const invalid = { ...settings[collection], nonsense: 1 };
    const foreignActor = (name: string) => ({
      ...settings[collection],
      ...(collection !== 'actors' && { actor: name }),
    });
    const own = collection === 'actors' ? {} : { actor: 'globex' };
    const asks: Readonly<Record<string, Ask>> = {
      get: (name) => ['GET', at(name)],
      'get of an actor': (name) => ['GET', `${at(name)}?actor=${name}`],
      list: (name) => ['GET', `${collection}?name=${name}`],
      'create in another actor': (name) => ['POST', collection, { ...foreignActor(name), name }],
      'create what is invalid': (name) => ['POST', collection, { ...invalid, ...own, name }],
      'replace in another actor': (name) => ['PUT', at(name), foreignActor(name)],
      'replace by what is invalid': (name) => ['PUT', at(name), { ...invalid, ...own }],
      'replace any version': (name) => ['PUT', at(name), { ...settings[collection], ...own }, anyVersion],
      'replace a version': (name) => ['PUT', at(name), { ...settings[collection], ...own }, aVersion],
      patch: (name) => ['PATCH', at(name), { description: 'x' }],
      'patch of an actor': (name) => ['PATCH', `${at(name)}?actor=${name}`, { description: 'x' }],
      'patch what is invalid': (name) => ['PATCH', at(name), { nonsense: 1 }],
      'patch any version': (name) => ['PATCH', at(name), { description: 'x' }, anyVersion],
      'patch as a dry run': (name) => ['PATCH', `${at(name)}?dryRun=true`, { description: 'x' }],
      delete: (name) => ['DELETE', at(name)],
      'delete of an actor': (name) => ['DELETE', `${at(name)}?actor=${name}`],
      'delete any version': (name) => ['DELETE', at(name), undefined, anyVersion],
      'delete a version': (name) => ['DELETE', at(name), undefined, aVersion],
      'delete as a dry run': (name) => ['DELETE', `${at(name)}?dryRun=true`],
      change: (name) => [
        'POST',
        'configuration/changes',
        { changes: [{ object: { collection, name }, patch: { description: 'x' } }] },
      ],
      force: (name) => [
        'POST',
        'configuration/force',
        { object: { collection, name }, patch: { description: 'x' }, reason: 'x' },
      ],
      adopt: (name) => ['POST', 'configuration/adopt', { source: 'team', objects: [{ collection, name }] }],
      release: (name) => ['POST', 'configuration/release', { source: 'team', objects: [{ collection, name }] }],
    };
    for (const [title, ask] of Object.entries(asks)) await expectSame(title, ask);
  });

  /** Settings of own objects that name something else; what is refused, and what is only a text. */
  const references: readonly (readonly [
    collection: string,
    title: string,
    of: (name: string) => object,
    refused: boolean,
  ])[] = [
    ['connection-contracts', 'a VFS', (vfs) => ({ clauses: [{ user: 'own-users', vfs }] }), true],
    ['connection-contracts', 'a user', (user) => ({ clauses: [{ user, vfs: ownVfs }] }), true],
    ['connection-contracts', 'a group', (group) => ({ clauses: [{ group, vfs: ownVfs }] }), true],
    ['virtual-file-systems', 'a user', (user) => aclFor({ user }), true],
    ['virtual-file-systems', 'a group', (group) => aclFor({ group }), true],
    ['users', 'a group', (group) => ({ groups: [group] }), false],
    ['contracts', 'the VFS of an action', (vfs) => ({ actions: [action({ vfs })] }), true],
    ['contracts', 'the VFS of a trigger', (vfs) => ({ actions: [startedBy({ vfs, virtualPath: '/' })] }), true],
    ['contracts', 'the VFS of a grant', (vfs) => ({ actions: [granted({ vfs, path: '/' })] }), true],
    ['contracts', 'the VFS of an expectation', (vfs) => ({ expectations: [{ ...daily, vfs }] }), true],
    [
      'contracts',
      'a variable',
      (name) => ({ actions: [action({ vfs: ownVfs, variables: { folder: name, text: name } })] }),
      false,
    ],
    ...['actors', 'groups', 'client-connections', 'pgp-keys', 'contracts'].map(
      (collection) => [collection, 'a description', (description: string) => ({ description }), false] as const,
    ),
  ];

  it.each(references)('as what %s name: %s', async (collection, _, of, refused) => {
    const isActor = collection === 'actors';
    const own = isActor ? 'globex' : `own-${collection}`;
    const whole = (name: string) => ({ ...settings[collection], ...(!isActor && { actor: 'globex' }), ...of(name) });
    const inActor = isActor ? '' : '&actor=globex';
    const asks: Readonly<Record<string, Ask>> = {
      ...(!isActor && {
        create: (name) => ['POST', `${collection}?dryRun=true`, { ...whole(name), name: 'new' }],
        'replace what is new': (name) => ['PUT', `${collection}/new?dryRun=true`, whole(name)],
      }),
      replace: (name) => ['PUT', `${collection}/${own}?dryRun=true`, whole(name)],
      patch: (name) => ['PATCH', `${collection}/${own}?dryRun=true${inActor}`, of(name)],
    };
    for (const [title, ask] of Object.entries(asks)) {
      await expectSame(title, ask);
      expect([title, ...(await answerTo(ask, foreign))]).toEqual([
        title,
        refused ? 400 : 200,
        refused ? expect.stringContaining('validation_failed') : expect.any(String),
      ]);
    }
  });

  it('in what belongs to objects, and in documents of a whole configuration', async () => {
    const document = (name: string) => ({
      file: 'team.yaml',
      document: JSON.stringify({ source: 'team', actors: [{ name, users: [{ name: 'somebody' }] }] }),
    });
    const expectation = { vfs: ownVfs, path: '/', filePattern: '*' };
    const asks: Readonly<Record<string, Ask>> = {
      'SSH keys': (name) => ['GET', `users/${name}/ssh-keys`],
      'an SSH key': (name) => ['DELETE', `users/${name}/ssh-keys/1`],
      'a second factor': (name) => ['GET', `users/${name}/second-factor`],
      'the removal of a second factor': (name) => ['DELETE', `users/${name}/second-factor`],
      'the use of a VFS': (name) => ['GET', `virtual-file-systems/${name}/usage`],
      'an expectation': (name) => ['GET', `expectations/daily?contract=${name}`],
      expectations: (name) => ['GET', `expectations?contract=${name}`],
      'a new expectation': (name) => ['POST', 'expectations', { ...expectation, name: 'daily', contract: name }],
      'a written expectation': (name) => ['PUT', 'expectations/daily', { ...expectation, contract: name }],
      'a removed expectation': (name) => ['DELETE', `expectations/daily?contract=${name}`],
      'a secret': (name) => ['GET', `secrets/${name}?actor=${name}`],
      'a written secret': (name) => ['PUT', `secrets/x?actor=${name}`, { value: 'x' }],
      'a removed secret': (name) => ['DELETE', `secrets/x?actor=${name}`],
      'secrets of an actor': (name) => ['GET', `secrets?actor=${name}`],
      'a key of connections': (name) => ['POST', `connection-ssh-keys/x/generate?actor=${name}`, { kind: 'ed25519' }],
      'a freeze': (name) => ['GET', `infrastructure/users/${name}/freeze`],
      'an API key of an actor': (name) => ['POST', 'api-keys', { name: 'x', actors: [name] }],
      'an explanation': (user) => ['POST', 'access/explain', { user, protocol: 'SFTP', operation: 'list', path: '/' }],
      plan: (name) => ['POST', 'configuration/plan', document(name)],
      validate: (name) => ['POST', 'configuration/validate', document(name)],
      apply: () => ['POST', 'configuration/apply', { planId: '00000000-0000-4000-8000-000000000000' }],
      export: (name) => ['GET', `configuration/export?source=${name}`],
    };
    for (const [title, ask] of Object.entries(asks)) await expectSame(title, ask);
  });

  const ofActors = kinds.filter(({ ofActor }) => ofActor !== 'none');
  it.each(ofActors)('except that a name which is unique is taken: $collection', async ({ collection, entityType }) => {
    const body = { ...settings[collection], actor: 'globex' };
    const expected = isNamedInActor(entityType) ? [200, ''] : [409, 'The name * is taken: the name of a'];
    for (const method of ['POST', 'PUT']) {
      const at = (name: string) => `${collection}${method === 'POST' ? '' : `/${name}`}?dryRun=true`;
      const ask: Ask = (name) => [method, at(name), { ...body, name }];
      expect((await answerTo(ask, ghost))[0]).toBe(200);
      expect(await answerTo(ask, foreign)).toEqual([expected[0], expect.stringContaining(String(expected[1]))]);
    }
  });
});

function action(more: object) {
  return { name: 'one', workflow: 'write-report', trigger: { type: 'OnDemand' }, ...more };
}

function startedBy(trigger: object) {
  return action({ trigger: { type: 'NewFile', ...trigger } });
}

function granted(grant: object) {
  return action({ vfs: ownVfs, grants: [{ ...grant, rights: ['download'] }] });
}

function aclFor(who: object) {
  return { acl: [{ path: '/', grants: [{ ...who, permissions: ['list'] }] }] };
}
