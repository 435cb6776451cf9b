import { readFile } from 'node:fs/promises';
import ssh2 from 'ssh2';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Doors, doneBefore, rowOf, type Rows } from './row.ts';

const row = rowOf('management', 'admin');
const ofViewer = rowOf('management', 'viewer');
const ofClara = rowOf('management', 'clara');
const ofTom = rowOf('http', 'tom');
const api = '/platform-application/api/v1';
const changed = { current: 'correct horse battery', next: 'another horse battery' };
const withId = z.looseObject({ id: z.union([z.int(), z.string()]) });

/** What a row has made, and another one uses. */
const made = { apiKey: 0, key: '', claraToken: '' };

async function ask(
  { manager, token }: Doors,
  [method, path]: readonly [method: string, path: string],
  json?: object,
  bearer = token,
) {
  const answer = await manager.request(method, path, { bearer, ...(json && { json }) });
  if (answer.status >= 500) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer;
}

async function logInAsClara(doors: Doors, password: string): Promise<void> {
  const login = await doors.manager.post(`${api}/auth/login`, { json: { username: 'clara', password } });
  made.claraToken = z.object({ accessToken: z.string() }).parse(login.json()).accessToken;
}

async function changePassword(doors: Doors): Promise<void> {
  await logInAsClara(doors, changed.current);
  const json = { currentPassword: changed.current, newPassword: changed.next };
  await ask(doors, ['POST', `${api}/auth/password`], json, made.claraToken);
  await logInAsClara(doors, changed.next);
}

async function endSession(doors: Doors): Promise<void> {
  const list = await ask(doors, ['GET', `${api}/auth/sessions`]);
  const { items } = z.object({ items: z.array(withId.extend({ user: z.string() })) }).parse(list.json());
  const { id } = items.find(({ user }) => user === 'clara') ?? {};
  await ask(doors, ['DELETE', `${api}/auth/sessions/${id}`]);
}

async function createApiKey(doors: Doors): Promise<void> {
  const answer = await ask(doors, ['POST', `${api}/api-keys`], { name: 'ci', roles: ['Administrators'] });
  const { id, key } = z.object({ id: z.int(), key: z.string() }).parse(answer.json());
  Object.assign(made, { apiKey: id, key });
}

/** Users, passwords, sessions and API keys of the management interfaces. */
const rowsOfManagers: Rows = {
  'a manager user is created over the API': row(
    'AUD0001A CREATE clara',
    (doors) => ask(doors, ['PUT', `${api}/manager-users/clara`], { password: changed.current, roles: ['Users'] }),
    { difference: expect.stringMatching(/^\{"after":(?!.*correct horse)/u) },
  ),
  'a password is changed': ofClara('AUD0010A PASSWORD_CHANGE clara', changePassword),
  'an API key is created': row('AUD0001A CREATE admin/ci', createApiKey, {
    difference: expect.stringMatching(/^\{"after":\{.*"Administrators"/u),
  }),
  'an API key creates no other one': row('AUD0015A MODIFY createApiKey not_permitted', (doors) =>
    ask(doors, ['POST', `${api}/api-keys`], { name: 'other' }, made.key),
  ),
  'an API key with the role of somebody else is not created': ofClara(
    'AUD0015A MODIFY createApiKey validation_failed',
    (doors) => ask(doors, ['POST', `${api}/api-keys`], { name: 'ci', roles: ['Administrators'] }, made.claraToken),
  ),
  'an API key is revoked': row(
    'AUD0005A DELETE admin/ci',
    (doors) => ask(doors, ['DELETE', `${api}/api-keys/${made.apiKey}`]),
    { difference: expect.stringMatching(/^\{"before":\{.*"Administrators"/u) },
  ),
  'an API key is not revoked twice': row('AUD0015A MODIFY revokeApiKey entity_unknown', (doors) =>
    ask(doors, ['DELETE', `${api}/api-keys/${made.apiKey}`]),
  ),
  'a session of the management interfaces is ended': row('AUD0005A DELETE clara', endSession),
  'a session that does not exist is not revoked': row('AUD0015A MODIFY revokeLoginSession entity_unknown', (doors) =>
    ask(doors, ['DELETE', `${api}/auth/sessions/999999`]),
  ),
};

const role = `${api}/roles/desk`;

/** Roles, and what a user with another role may not do. */
const rowsOfRoles: Rows = {
  'a role is created': row(
    'AUD0001A CREATE desk',
    (doors) => ask(doors, ['PUT', role], { permissions: ['jobs:read'] }),
    { difference: expect.stringContaining('jobs:read') },
  ),
  'a role is changed': row(
    'AUD0003A MODIFY desk',
    (doors) => ask(doors, ['PATCH', role], { permissions: ['jobs:write'] }),
    { difference: JSON.stringify({ before: { permissions: ['jobs:read'] }, after: { permissions: ['jobs:write'] } }) },
  ),
  'a role is deleted': row('AUD0005A DELETE desk', (doors) => ask(doors, ['DELETE', role])),
  ...Object.fromEntries(
    (
      [
        ['a role', 'replaceRole', 'PUT', role],
        ['many jobs', 'changeJobs', 'POST', '/job-manager/jobs/bulk'],
        ['a job again', 'resubmitJob', 'POST', '/job-manager/jobs/1/resubmit'],
        ['a queue', 'resumeQueue', 'POST', '/job-manager/queues/none/resume'],
        ['a webhook', 'replayWebhookDelivery', 'POST', '/job-manager/webhook-deliveries/1/replay'],
        ['an expectation', 'acknowledgeExpectation', 'POST', '/job-manager/expectations/1/acknowledge'],
        ['the configuration', 'applyConfiguration', 'POST', `${api}/configuration/apply`],
      ] as const
    ).map(([what, id, method, path]) => [
      `a user without the role does not change ${what}`,
      ofViewer(`AUD0015A MODIFY ${id} not_permitted`, (doors) =>
        ask(doors, [method, path], undefined, doors.viewerToken),
      ),
    ]),
  ),
};

/** Jobs that are changed together, and what is refused. */
const rowsOfManyJobs: Rows = {
  'jobs are aborted together': row(
    'AUD0022A MODIFY invoices/ask',
    (doors) =>
      ask(doors, ['POST', '/job-manager/jobs/bulk'], {
        operation: 'abort',
        filter: { status: 'SUSPENDED', workflowTemplateName: 'ask' },
        dryRun: false,
        reason: 'as planned',
      }),
    { reason: 'as planned' },
  ),
};

const sshKeys = '/2.0/account/ssh-keys';
const password = '/2.0/account/password';

async function changeSshKeys({ platform }: Doors): Promise<void> {
  const parsed = ssh2.utils.parseKey(await readFile(platform.acmeKeyFile));
  if (parsed instanceof Error) throw parsed;
  const key = `${parsed.type} ${parsed.getPublicSSH().toString('base64')}`;
  const client = platform.http();
  await client.post('/2.0/login/basic', { form: { username: 'tom', password: 'umbrella-demo' } });
  const { id } = withId.parse((await client.post(sshKeys, { json: { key } })).json());
  await client.delete(`${sshKeys}/${id}`);
}

/** What partners do with their own accounts. */
const rowsOfPartners: Rows = {
  'a partner adds an SSH key': ofTom('AUD0054A MODIFY tom', changeSshKeys),
  'a partner deletes an SSH key': ofTom('AUD0055A MODIFY tom', doneBefore),
  'a partner adds no SSH key without the permission': rowOf('http', 'acme')(
    'AUD0056A MODIFY http-server ssh_keys_not_allowed',
    ({ other }) => other.post(sshKeys, { json: { key: 'ssh-ed25519 AAAA' } }),
  ),
  'a partner changes no password with a wrong one': rowOf('http', 'initech')(
    'AUD0011A PASSWORD_CHANGE initech invalid_credentials',
    ({ manager }) =>
      manager.put(password, { json: { username: 'initech', currentPassword: 'wrong', newPassword: changed.next } }),
  ),
  'a partner changes the password': rowOf('http', 'initech')('AUD0010A PASSWORD_CHANGE initech', ({ manager }) =>
    manager.put(password, {
      json: { username: 'initech', currentPassword: 'initech-demo', newPassword: changed.next },
    }),
  ),
};

/** Accounts, keys, sessions and roles, in this order. The jobs are those of other rows. */
export const rowsOfAccounts: Rows = { ...rowsOfManagers, ...rowsOfRoles, ...rowsOfManyJobs, ...rowsOfPartners };
