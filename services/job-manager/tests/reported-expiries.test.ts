import { X509Certificate } from 'node:crypto';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { type Expiry, listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createTlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTestJobManager } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const { path } = listExpiriesEndpoint;
let redis: RedisConnection;

beforeAll(() => {
  redis = connectRedis({ url: site.platform.redis.url, name: 'test', logger: site.platform.logger });
});
afterAll(() => redis.disconnect());

async function reported(bearer = site.manager.admin): Promise<Expiry[]> {
  const response = await site.manager.client.get(path, { bearer });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  const { items } = listExpiriesEndpoint.responses[200].body.schema.parse(response.json());
  return items.filter(({ process }) => process !== null);
}
const until = (what: string, isSo: (items: Expiry[]) => boolean): Promise<Expiry[]> =>
  waitFor(
    async () => {
      const items = await reported();
      return isSo(items) ? items : undefined;
    },
    { what, timeoutMs: 60_000 },
  );
const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString();
const presence = (more: object, ageMs = 0) => {
  const at = Date.now() - ageMs;
  const identity = { service: 'audit', node: 'audit1', startedAt: new Date(at).toISOString() };
  return JSON.stringify({ ...identity, reportedAt: at, failing: [], ...more });
};

describe('what processes report to expire', () => {
  it('has the certificate that a process uses, also after it has changed, until the process is gone', async () => {
    const days = { first: 10, second: 20 };
    const first = await makeSelfSigned({ names: ['localhost'], days: days.first });
    await using files = await createTlsFiles(first);
    const certificates = (items: Expiry[]) => items.filter(({ kind }) => kind === 'tls-certificate');
    const fingerprints = (items: Expiry[]) => certificates(items).map(({ detail }) => detail);
    const fingerprintOf = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256;
    {
      await using _secure = await runTestJobManager(site.platform, { ...files.env, NODE_NAME: 'secure1' });
      const shown = await until('the certificate', (items) => certificates(items).length > 0);
      expect(certificates(shown)).toEqual([
        {
          kind: 'tls-certificate',
          name: 'job-manager',
          actor: null,
          detail: fingerprintOf(first),
          expiresAt: new X509Certificate(first.cert).validToDate.toISOString(),
          state: 'soon',
          process: { service: 'job-manager', node: 'secure1', role: 'all' },
        },
      ]);
      const second = await makeSelfSigned({ names: ['localhost'], days: days.second });
      await files.write(second);
      await until('the new certificate', (items) => fingerprints(items).includes(fingerprintOf(second)));
      const keys = (await reported()).filter(({ kind }) => kind === 'signing-key');
      // Both processes use the same key of tokens.
      expect(keys.map(({ name, process }) => [name, process?.node])).toContainEqual(['tokens', 'secure1']);
      expect(new Set(keys.map(({ detail }) => detail)).size).toBe(1);
      expect(keys[0]?.state).toBe('valid');
    }
    expect(fingerprints(await reported())).toEqual([]);
  });

  it('leaves out processes that are silent, kinds that are unknown, and garbage, and keeps their other entries', async () => {
    const key = { kind: 'signing-key', name: 'audit', detail: 'a key', expiresAt: inAYear() };
    await redis.hset('waybill:presence', {
      running: presence({
        expiring: [
          key,
          { ...key, kind: 'api-key' },
          { ...key, kind: 'of-a-newer-release' },
          { ...key, expiresAt: 'tomorrow' },
          { ...key, detail: 'x'.repeat(201) },
          { ...key, name: '' },
          { ...key, name: 'more', password: 'canary-password' },
          null,
        ],
      }),
      many: presence({ node: 'audit2', expiring: Array.from({ length: 1_000 }, () => ({ ...key, name: 'many' })) }),
      silent: presence({ node: 'audit3', expiring: [{ ...key, name: 'silent' }] }, 60_000),
      damaged: presence({ node: 'audit4', expiring: 'soon' }),
      huge: presence({ node: 'x'.repeat(300), expiring: [key] }),
    });
    const shown = (await reported()).filter(({ process }) => process?.service === 'audit');
    expect(shown.filter(({ name }) => name !== 'many').map(({ name, process }) => `${name} ${process?.node}`)).toEqual([
      'audit audit1',
      'more audit1',
    ]);
    expect(shown.filter(({ name }) => name === 'many')).toHaveLength(16);
    expect(JSON.stringify(shown)).not.toContain('canary');
    await redis.hdel('waybill:presence', 'running', 'many', 'silent');
  });

  it('is not shown to who is limited to actors', async () => {
    const role = { name: 'Reads acme', description: '', permissions: ['configuration:read'], actors: ['acme'] };
    const { managerUsers } = testConfiguration;
    await site.platform.apply({
      ...testConfiguration,
      roles: [role],
      managerUsers: [...managerUsers, { name: 'limited', password: 'limited-password', roles: [role.name] }],
    });
    const login = await site.manager.client.post('/platform-application/api/v1/auth/login', {
      json: { username: 'limited', password: 'limited-password' },
    });
    const { accessToken } = login.json() as { accessToken: string };
    await until('a report', (items) => items.length > 0);
    expect(await reported(accessToken)).toEqual([]);
  });
});
