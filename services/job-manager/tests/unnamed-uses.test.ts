import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';

let configurator: string;
let operator: string;

const ask = (bearer: string, method: string, path: string, json?: object) =>
  site.manager.client.request(method, `${api}/${path}`, { bearer, ...(json && { json }) });
const detailOf = (response: HttpResponse) => [response.status, (response.json() as { detail?: string }).detail];

/** A manager user with these permissions, for these actors only if there are some. */
async function userWith(name: string, permissions: readonly string[], actors?: readonly string[]): Promise<string> {
  await done('POST', 'roles', { name: `Role of ${name}`, permissions, ...(actors && { actors }) });
  await done('POST', 'manager-users', { name, password, roles: [`Role of ${name}`] });
  const login = await site.manager.client.post(`${api}/auth/login`, { json: { username: name, password } });
  return (login.json() as { accessToken: string }).accessToken;
}

async function done(method: string, path: string, json?: object): Promise<void> {
  const { status, text } = await ask(site.manager.admin, method, path, json);
  if (status >= 300) throw new Error(text);
}

beforeAll(async () => {
  for (const name of ['umbrella', 'hooli']) await done('POST', 'actors', { name, type: 'Partner' });
  for (const name of ['umbrella', 'hooli'])
    await done('POST', 'virtual-file-systems', { name: `${name}-files`, actor: name });
  configurator = await userWith('configurator', ['configuration:*']);
  operator = await userWith('operator-of-umbrella', ['configuration:*', 'queues:read'], ['umbrella']);
  await done('POST', 'roles', { name: 'Night watch', permissions: ['jobs:read'], actors: ['umbrella'] });
  await done('POST', 'contracts', {
    name: 'secret-merger',
    actor: 'hooli',
    type: 'Output',
    queue: 'Default Queue',
    actions: [
      {
        name: 'report',
        workflow: 'write-report',
        trigger: { type: 'OnDemand' },
        vfs: 'hooli-files',
        grants: [{ vfs: 'umbrella-files', path: '/', rights: ['download'] }],
      },
    ],
  });
});

/** The ways to delete an object; the last one is for those who are not limited to actors. */
const deletions = (bearer: string, collection: string, name: string) => [
  ask(bearer, 'DELETE', `${collection}/${name}`),
  ask(bearer, 'DELETE', `${collection}/${name}?dryRun=true`),
  ...(bearer === operator
    ? []
    : [ask(bearer, 'POST', 'configuration/changes', { changes: [{ object: { collection, name }, delete: true }] })]),
];

it('a refusal to delete an actor names roles to those who may read them only', async () => {
  for (const bearer of [configurator, operator]) {
    for (const response of await Promise.all(deletions(bearer, 'actors', 'umbrella'))) {
      expect([response.status, response.text]).toEqual([
        409,
        expect.stringContaining('A manager user or role names the actor umbrella'),
      ]);
      for (const hidden of ['Night', 'operator-of', 'Role of', 'secret-merger', 'hooli'])
        expect(response.text).not.toContain(hidden);
    }
  }
  const named = await ask(site.manager.admin, 'DELETE', 'actors/umbrella');
  expect(detailOf(named)).toEqual([
    409,
    expect.stringContaining('Role Night watch of the API names the actor umbrella'),
  ]);
});

it('a refusal names objects of other actors to those only who are not limited to some', async () => {
  for (const response of await Promise.all(deletions(operator, 'virtual-file-systems', 'umbrella-files'))) {
    expect([response.status, response.text]).toEqual([
      409,
      expect.stringContaining('An object that you may not see would be in error'),
    ]);
    for (const hidden of ['secret', 'merger', 'hooli']) expect(response.text).not.toContain(hidden);
  }
  for (const bearer of [configurator, site.manager.admin]) {
    const named = await ask(bearer, 'DELETE', 'virtual-file-systems/umbrella-files');
    expect(detailOf(named)).toEqual([409, expect.stringContaining('Contract secret-merger of the API')]);
  }
});

it('a dry run shows roles that name an actor to those who may read them only', async () => {
  const path = 'actors/umbrella?dryRun=true';
  const shown = await ask(site.manager.admin, 'PATCH', path, { description: 'another' });
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Night watch')]);
  for (const bearer of [configurator, operator]) {
    const hidden = await ask(bearer, 'PATCH', path, { description: 'another' });
    expect([hidden.status, hidden.text]).toEqual([200, expect.not.stringContaining('Night watch')]);
  }
});

it('a fault that is not shown by name is still one, for each object', async () => {
  await done('POST', 'virtual-file-systems', { name: 'umbrella-more', actor: 'umbrella' });
  await done('PATCH', 'contracts/secret-merger', {
    actions: [
      {
        name: 'report',
        workflow: 'write-report',
        trigger: { type: 'OnDemand' },
        vfs: 'hooli-files',
        grants: ['umbrella-files', 'umbrella-more'].map((vfs) => ({ vfs, path: '/', rights: ['download'] })),
      },
    ],
  });
  for (const name of ['umbrella-files', 'umbrella-more'])
    expect((await ask(operator, 'DELETE', `virtual-file-systems/${name}`)).status).toBe(409);
  for (const name of ['umbrella-files', 'umbrella-more'])
    expect((await ask(operator, 'GET', `virtual-file-systems/${name}`)).status).toBe(200);
});
