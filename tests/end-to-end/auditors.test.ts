import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { auditRecordSchema } from '@waybill/contracts/values/audit-record';
import { interfaceAreas } from '@waybill/docs/interface-areas';
import type { HttpRequestOptions } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectSftp } from './two-doors/sftp-door.ts';

const demoFile = fileURLToPath(new URL('../../deploy/demo/platform.yaml', import.meta.url));
const api = '/platform-application/api/v1';
const audit = `${api}/audit`;
const auditor = { username: 'auditor', password: 'auditor-demo-password' };

/** All that a user with the role Auditors may do, and an example of each. */
const permitted: Readonly<Record<string, (recordId: string) => [path: string, options?: HttpRequestOptions]>> = {
  listAuditRecords: () => [`${audit}/logs`, { query: { page: 0 } }],
  countAuditRecords: () => [`${audit}/logs/counts`],
  followAuditRecords: () => [`${audit}/logs/events`],
  proveAuditRecord: (id) => [`${audit}/logs/${id}/proof`],
  verifyAuditRecord: () => [`${audit}/verification`],
  exportAuditRecords: () => [`${audit}/export`],
  readAuditCheckpoint: () => [`${audit}/checkpoint`],
  listAuditKeys: () => [`${audit}/keys`],
  readAuditTile: () => [`${audit}/tile/0/000.p/1`],
  proveAuditConsistency: () => [`${audit}/consistency`, { query: { from: 1, to: 2 } }],
  listAuditHolds: () => [`${audit}/holds`],
  // Ends the login: it is the last one.
  changePassword: () => [
    `${api}/auth/password`,
    { json: { currentPassword: auditor.password, newPassword: 'another horse battery' } },
  ],
};

/** What every manager user may do with the own account alone. */
const ofOwnAccount = [
  'createApiKey',
  'listApiKeys',
  'revokeApiKey',
  'findSecondFactor',
  'listLoginSessions',
  'revokeLoginSession',
  'readOwnPermissions',
];

/** For everybody, without credentials. */
const withoutCredentials = [
  'beginOidcConsoleLogin',
  'beginOidcDeviceLogin',
  'beginOidcLogin',
  'beginOwnSecondFactor',
  'beginSecondFactor',
  // Their bodies have the present password.
  'changeExpiredPassword',
  'changeOwnPassword',
  'confirmOwnSecondFactor',
  'confirmSecondFactor',
  'describeUploadProtocol',
  'finishOidcConsoleLogin',
  'finishOidcDeviceLogin',
  'finishOidcLogin',
  'listLoginMethods',
  'listReceiptKeys',
  'listSigningKeys',
  'logIn',
  'logOut',
  'openLoginSession',
  'readConfigurationSchema',
  'readFilesOpenapi',
  'readFilesPage',
  'refreshLogin',
  'removeOwnSecondFactor',
  'removeSecondFactor',
  'renewOwnRecoveryCodes',
  'renewRecoveryCodes',
  'setFirstPassword',
];

const endpoints: readonly EndpointContract[] = Object.values(interfaceAreas).flatMap((area) => area.endpoints);
const ofKind = (kind: EndpointContract['authentication']['kind']) =>
  endpoints
    .filter(({ authentication }) => authentication.kind === kind)
    .map((endpoint) => [endpoint.id, endpoint] as const);
const administrative = ofKind('bearer');

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let bearer: string;
let recordId: string;

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  const demo = await readFile(demoFile, 'utf8');
  const user = `  - { name: ${auditor.username}, password: '${auditor.password}', roles: [Auditors] }\n`;
  await writeFile(file, demo.replace('managerUsers:\n', `managerUsers:\n${user}`));
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
  const login = await platform.http().post(`${api}/auth/login`, { json: auditor });
  bearer = z.object({ accessToken: z.string() }).parse(login.json()).accessToken;
  const records = await platform.http().get(`${audit}/logs`, { bearer, query: { page: 0, limit: 1 } });
  recordId = z.array(auditRecordSchema).parse(records.json())[0]?.id ?? 'none';
});
afterAll(() => resources.disposeAsync());

/** An address that matches the path of the endpoint. */
function addressOf({ path }: EndpointContract): string {
  return path.replaceAll(/\{\/\*\w+\}/gu, '/a').replaceAll(/[*:]\w+/gu, '1');
}

it('the endpoints without credentials are known', () => {
  expect(
    ofKind('none')
      .map(([id]) => id)
      .toSorted(),
  ).toEqual(withoutCredentials);
});

it('what an auditor may do exists', () => {
  const known = new Set(administrative.map(([id]) => id));
  expect([...Object.keys(permitted), ...ofOwnAccount].filter((id) => !known.has(id))).toEqual([]);
});

const refused = administrative.filter(([id]) => permitted[id] === undefined && !ofOwnAccount.includes(id));
it.each(refused)('an auditor may not %s', async (_, endpoint) => {
  const response = await platform.http().request(endpoint.method, addressOf(endpoint), { bearer });
  expect([response.status, problemSchema.parse(response.json()).code]).toEqual([403, 'not_permitted']);
});

it.each(ofKind('login-session'))('the token of an auditor opens no files: %s', async (_, endpoint) => {
  const response = await platform.http().request(endpoint.method, addressOf(endpoint), { bearer });
  expect(response.status).toBe(401);
});

it('an auditor cannot log in for files over HTTP', async () => {
  const response = await platform.http().post('/2.0/login/basic', { form: auditor });
  expect(response.status).toBe(401);
});

it('an auditor cannot log in over SFTP', async () => {
  const login = { port: platform.sftpPort, user: auditor.username, password: auditor.password };
  await expect(connectSftp(login)).rejects.toThrow('All configured authentication methods failed');
});

it('an auditor sees and ends the own sessions and API keys, and no others', async () => {
  const ask = (method: string, path: string, options: HttpRequestOptions = {}) =>
    platform.http().request(method, `${api}/${path}`, { bearer, ...options });
  const demo = { username: 'admin', password: 'admin-demo' };
  const admin = await platform.http().post(`${api}/auth/login`, { json: demo });
  const { accessToken } = z.object({ accessToken: z.string() }).parse(admin.json());
  const listed = z.object({ items: z.array(z.object({ id: z.int(), user: z.string() })) });
  const all = listed.parse((await ask('GET', 'auth/sessions', { bearer: accessToken })).json()).items;
  const foreign = all.find(({ user }) => user === 'admin')?.id ?? 0;
  expect(listed.parse((await ask('GET', 'auth/sessions')).json()).items.map(({ user }) => user)).toEqual(['auditor']);
  expect((await ask('DELETE', `auth/sessions/${foreign}`)).status).toBe(404);

  const created = await ask('POST', 'api-keys', { bearer: accessToken, json: { name: 'ci' } });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  expect(listed.parse((await ask('GET', 'api-keys')).json()).items).toEqual([]);
  expect((await ask('DELETE', 'api-keys/1')).status).toBe(404);
  // A key has no role that its owner does not have.
  expect((await ask('POST', 'api-keys', { json: { name: 'ci', roles: ['Administrators'] } })).status).toBe(400);
});

it.each(Object.entries(permitted))('an auditor may %s', async (id, example) => {
  const [, endpoint] = administrative.find(([known]) => known === id) ?? [];
  if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`);
  const [path, options] = example(recordId);
  const response = await platform.http().request(endpoint.method, path, { bearer, ...options });
  expect(response.status, response.text).toBe(endpoint.method === 'POST' ? 204 : 200);
});
