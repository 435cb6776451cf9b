import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShownJob, startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';

const globex = {
  name: 'globex',
  type: 'Partner',
  users: [{ name: 'globex-user', password }],
  virtualFileSystems: [{ name: 'globex-files' }],
  contracts: [
    {
      name: 'globex-contract',
      type: 'Output',
      queue: 'Default Queue',
      actions: [{ name: 'report', workflow: 'write-report', trigger: { type: 'OnDemand' }, vfs: 'globex-files' }],
    },
  ],
};

const everything = ['jobs:*', 'approvals:run', 'expectations:*', 'configuration:*', 'queues:read'];

const configuration = {
  ...testConfiguration,
  roles: [
    { name: 'Team of globex', permissions: everything, actors: ['globex'] },
    { name: 'Identity keepers', permissions: ['identities:*', 'jobs:read'] },
  ],
  managerUsers: [
    ...testConfiguration.managerUsers,
    { name: 'gina', password, roles: ['Team of globex'] },
    { name: 'ivan', password, roles: ['Identity keepers'] },
  ],
  actors: [...testConfiguration.actors, globex],
};

let platform: TestPlatform;
let manager: TestJobManager;
let gina: string;
let ivan: string;

async function logIn(username: string): Promise<string> {
  const response = await manager.client.post(`${api}/auth/login`, { json: { username, password } });
  return (response.json() as { accessToken: string }).accessToken;
}

const report = { contractName: 'invoices', actionName: 'write-report' };

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.apply(configuration);
  manager = await startTestJobManager(platform);
  [gina, ivan] = [await logIn('gina'), await logIn('ivan')];
  for (const table of ['manager_users', 'roles', 'actors', 'contracts', 'partner_users', 'virtual_file_systems']) {
    await platform.database.query(`UPDATE directory.${table} SET source = NULL`);
  }
});
afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const codeOf = (response: HttpResponse): [number, unknown] => [
  response.status,
  (response.json() as { code?: string }).code,
];
const put = (path: string, json: object, bearer: string) =>
  manager.client.request('PUT', `${api}/${path}`, { json, bearer });

describe('a role that is limited to an actor', () => {
  it('learns of no contract of another actor by an action that does not exist', async () => {
    const refusal = (response: HttpResponse, name: string) =>
      response.text.replaceAll(name, '*').replace(/"requestId":"[^"]+"/u, '');
    const actionName = 'nothing';
    const submitted = async (name: string) =>
      refusal(await manager.submit({ contractName: name, actionName }, gina), name);
    const dryRun = async (name: string) => {
      const json = { contract: name, action: actionName };
      return refusal(await manager.client.post(`${api}/workflows/dry-run`, { json, bearer: gina }), name);
    };
    for (const ask of [submitted, dryRun]) {
      expect(await ask('globex-contract')).toContain('action_unknown');
      expect(await ask('nowhere')).toContain('contract_unknown');
      expect(await ask('invoices')).toBe(await ask('nowhere'));
    }
  });

  it('sees and changes the jobs of this actor, and no others exist for it', async () => {
    const foreign = ((await manager.submit(report)).json() as ShownJob).id;
    await manager.reaches(foreign, 'COMPLETED');
    const own = (
      (await manager.submit({ contractName: 'globex-contract', actionName: 'report' }, gina)).json() as ShownJob
    ).id;
    const ask = (method: 'GET' | 'POST', path: string) => manager.client.request(method, path, { bearer: gina });

    const listed = (await ask('GET', '/job-manager/jobs')).json() as { jobs: ShownJob[] };
    expect(listed.jobs.map(({ id }) => id)).toEqual([own]);
    for (const filter of [
      'actor=acme',
      `id=${foreign}`,
      'status=COMPLETED&actor=acme',
      'queue=Default+Queue&actor=acme',
    ]) {
      expect((await ask('GET', `/job-manager/jobs?${filter}`)).json()).toEqual({ jobs: [] });
    }
    expect((await ask('GET', '/job-manager/jobs?queue=Default+Queue&sort=-updatedAt')).json()).toMatchObject({
      jobs: [{ id: own }],
    });
    expect((await ask('GET', `/job-manager/jobs/${own}`)).status).toBe(200);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/history'],
      ['POST', '/abort'],
      ['POST', '/resume'],
      ['POST', '/resubmit'],
      ['POST', '/approve'],
      ['POST', '/reject'],
    ] as const) {
      const known = await ask(method, `/job-manager/jobs/${foreign}${path}`);
      const unknown = await ask(method, `/job-manager/jobs/999999${path}`);
      expect([path, ...codeOf(known)]).toEqual([path, 404, 'job_unknown']);
      expect(codeOf(known)).toEqual(codeOf(unknown));
    }
    expect(codeOf(await manager.submit(report, gina))).toEqual(
      codeOf(await manager.submit({ ...report, contractName: 'no such' }, gina)),
    );

    const change = { operation: 'resubmit', filter: { queue: 'Default Queue' }, dryRun: true };
    const changed = await manager.client.post('/job-manager/jobs/bulk', { json: change, bearer: gina });
    const { results } = changed.json() as { results: { id: number }[] };
    expect(results.map(({ id }) => id)).not.toContain(foreign);
    for (const path of ['expectations', 'webhook-deliveries', 'client-connections/health']) {
      expect((await ask('GET', `/job-manager/${path}`)).status).toBe(200);
    }
    expect(codeOf(await ask('GET', '/job-manager/queues'))).toEqual([403, 'not_permitted']);
  });

  it('asks what users of this actor may do, and finds no others, whatever they are', async () => {
    const explain = async (user: string, bearer = gina) => {
      const question = { user, protocol: 'SFTP', operation: 'list', path: '/', address: '192.0.2.7' };
      const response = await manager.client.post(`${api}/access/explain`, { json: question, bearer });
      return response.text.replaceAll(user, '*');
    };
    expect(JSON.parse(await explain('globex-user'))).toHaveProperty('rules.0.allows', true);
    const unknown = await explain('nobody-at-all');
    expect(JSON.parse(unknown)).toMatchObject({ allowed: false, rules: [{ rule: 'user', allows: false }] });
    for (const other of ['acme', 'admin', 'gina', 'ivan']) expect(await explain(other)).toBe(unknown);
    expect(await explain('ivan', manager.admin)).toContain('is a manager user');
  });

  it('chooses no account policy of this actor: that needs the right to change identities', async () => {
    const strict = { type: 'Partner', accountPolicy: 'strict' };
    for (const name of ['strict', 'weak'])
      expect((await put(`account-policies/${name}`, { sshKeys: { allowed: true } }, ivan)).status).toBe(201);
    expect((await put('actors/globex', strict, manager.admin)).status).toBe(200);
    for (const changed of [{ type: 'Partner', accountPolicy: 'weak' }, { type: 'Partner' }])
      expect(codeOf(await put('actors/globex', changed, gina))).toEqual([403, 'not_permitted']);
    const removed = await manager.client.request('DELETE', `${api}/actors/globex`, { bearer: gina });
    expect([codeOf(removed), removed.text]).toEqual([
      [403, 'not_permitted'],
      expect.stringContaining('account policy'),
    ]);
    expect((await put('actors/globex', { ...strict, description: 'the same policy' }, gina)).status).toBe(200);
    expect((await put('actors/globex', { type: 'Partner' }, manager.admin)).status).toBe(200);
    for (const name of ['strict', 'weak']) {
      expect(codeOf(await put(`account-policies/${name}`, {}, gina))).toEqual([403, 'not_permitted']);
      const removed = await manager.client.request('DELETE', `${api}/account-policies/${name}`, { bearer: ivan });
      expect(removed.status).toBe(204);
    }
  });

  it('reads and writes the objects of this actor, and no others exist for it', async () => {
    const get = (path: string) => manager.client.get(`${api}/${path}`, { bearer: gina });
    const names = async (path: string) =>
      ((await get(path)).json() as { items: { name: string }[] }).items.map(({ name }) => name);
    expect(await names('actors')).toEqual(['globex']);
    expect(await names('users')).toEqual(['globex-user']);
    expect(await names('contracts?actor=acme')).toEqual([]);
    for (const path of ['actors/acme', 'users/acme', 'virtual-file-systems/acme-files', 'contracts/invoices']) {
      expect([path, ...codeOf(await get(path))]).toEqual([path, 404, 'entity_unknown']);
      const removed = await manager.client.request('DELETE', `${api}/${path}`, { bearer: gina });
      expect([path, ...codeOf(removed)]).toEqual([path, 404, 'entity_unknown']);
    }
    expect(codeOf(await get('clusters'))).toEqual([403, 'not_permitted']);
    expect(codeOf(await get('roles'))).toEqual([403, 'not_permitted']);

    expect((await put('users/globex-two', { actor: 'globex' }, gina)).status).toBe(201);
    expect((await put('actors/globex', { type: 'Partner', description: 'ours' }, gina)).status).toBe(200);
    expect(codeOf(await put('users/acme-two', { actor: 'acme' }, gina))).toEqual([403, 'not_permitted']);
    expect(codeOf(await put('users/acme', { actor: 'globex' }, gina))).toEqual([409, 'entity_exists']);
    expect(codeOf(await put('actors/initech', { type: 'Partner' }, gina))).toEqual([403, 'not_permitted']);
    expect(codeOf(await put('pgp-keys/shared', { publicKey: 'x' }, gina))[0]).toBeGreaterThanOrEqual(400);
  });

  it('cannot reach files of another actor through what it writes', async () => {
    const clauses = [{ user: 'globex-user', vfs: 'acme-files' }];
    const contract = { actor: 'globex', cluster: 'cluster1', server: 'sftp-server', clauses };
    expect(codeOf(await put('connection-contracts/theft', contract, gina))).toEqual([400, 'validation_failed']);
    const [action] = globex.contracts[0]?.actions ?? [];
    const granted = {
      actor: 'globex',
      type: 'Output',
      queue: 'Default Queue',
      actions: [{ ...action, grants: [{ vfs: 'acme-files', path: '/', rights: ['download'] }] }],
    };
    expect(codeOf(await put('contracts/globex-contract', granted, gina))).toEqual([400, 'validation_failed']);
  });
});

describe('a user who may write manager users and roles', () => {
  it('gives no more than the user has, and takes over no user who has more', async () => {
    const refused = [403, 'not_permitted'];
    expect((await put('manager-users/ida', { password, roles: ['Identity keepers'] }, ivan)).status).toBe(201);
    expect((await put('roles/Readers', { permissions: ['jobs:read'] }, ivan)).status).toBe(201);
    expect(codeOf(await put('manager-users/ida', { roles: ['Administrators'] }, ivan))).toEqual(refused);
    expect(codeOf(await put('manager-users/ivan', { roles: ['Operators'] }, ivan))).toEqual(refused);
    expect(codeOf(await put('manager-users/admin', { password, roles: ['Administrators'] }, ivan))).toEqual(refused);
    expect(codeOf(await put('roles/Readers', { permissions: ['jobs:*'] }, ivan))).toEqual(refused);
    expect(codeOf(await put('roles/Team%20of%20globex', { permissions: ['jobs:read'] }, ivan))).toEqual(refused);
    const removed = await manager.client.request('DELETE', `${api}/manager-users/admin`, { bearer: ivan });
    expect(codeOf(removed)).toEqual(refused);
  });

  it.each([
    ['a permission that does not exist', { permissions: ['jobs:fly'] }],
    ['no permission', { permissions: [] }],
    ['no actor', { permissions: ['jobs:read'], actors: [] }],
    ['too many actors', { permissions: ['jobs:read'], actors: Array.from({ length: 1_001 }, (_, n) => `a${n}`) }],
    ['another setting', { permissions: ['jobs:read'], superuser: true }],
  ])('cannot write a role with %s', async (_, settings) => {
    expect(codeOf(await put('roles/Wrong', settings, ivan))).toEqual([400, 'validation_failed']);
  });

  it('can neither replace a built-in role, nor give one that does not exist', async () => {
    expect(codeOf(await put('roles/Users', { permissions: ['jobs:read'] }, ivan))).toEqual([409, 'entity_owned']);
    const answer = await put('manager-users/ida', { roles: ['Emperors'] }, manager.admin);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', errors: [{ field: 'roles[0]' }] });
  });
});
