import { readVfsUsageEndpoint } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import { countUsage } from '@waybill/filebox/limits/count-usage';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, describe, expect, it } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';
const site = oneJobManager();
const { schema } = readVfsUsageEndpoint.responses[200].body;
const limited = { name: 'limited-files', limits: { bytes: 1_000, files: 10 } };
let gina: string;

const get = (name: string, bearer = site.manager.admin) =>
  site.manager.client.get(`${api}/virtual-file-systems/${encodeURIComponent(name)}/usage`, { bearer });

async function usage(name: string, bearer?: string) {
  const response = await get(name, bearer);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return schema.parse(response.json());
}

beforeAll(async () => {
  const [acme, ...others] = testConfiguration.actors;
  if (!acme) throw new Error('the test configuration has an actor');
  await site.platform.apply({
    ...testConfiguration,
    roles: [{ name: 'Globex reads', permissions: ['configuration:read'], actors: ['globex'] }],
    managerUsers: [...testConfiguration.managerUsers, { name: 'gina', password, roles: ['Globex reads'] }],
    actors: [acme, ...others, { name: 'globex', type: 'Partner', virtualFileSystems: [limited] }],
  });
  const login = await site.manager.client.post(`${api}/auth/login`, { json: { username: 'gina', password } });
  gina = (login.json() as { accessToken: string }).accessToken;
});

describe('the usage of a virtual file system', () => {
  it('is counted where there are no limits, and follows what is stored', async () => {
    const before = await usage('acme-files');
    expect(before).toMatchObject({ name: 'acme-files', actor: 'acme', bytes: { limit: null }, files: { limit: null } });
    await site.platform.deliver('/inbox/one.bin', Buffer.alloc(600));
    await site.platform.deliver('/inbox/two.bin', Buffer.alloc(40));
    await waitFor(
      async () => {
        const { bytes, files, folders } = await usage('acme-files');
        const [added, more] = [
          (bytes.used ?? 0) - (before.bytes.used ?? 0),
          (files.used ?? 0) - (before.files.used ?? 0),
        ];
        return added === 640 && more === 2 && folders.used !== null && folders.used >= 1;
      },
      { what: 'another count', timeoutMs: 30_000 },
    );
  });

  it('has the limits where there are some', async () => {
    expect(await usage('limited-files', gina)).toEqual({
      name: 'limited-files',
      actor: 'globex',
      bytes: { used: 0, limit: 1_000 },
      files: { used: 0, limit: 10 },
      folders: { used: 0, limit: null },
    });
  });

  it('is not counted for longer than allowed', async () => {
    const { url } = site.platform.database;
    const db = connectPostgres({ url, poolSize: 1, applicationName: 'test' });
    try {
      const [{ id = '' } = {}] = await site.platform.database.query(
        `SELECT id::text FROM directory.virtual_file_systems WHERE name = 'acme-files'`,
      );
      await using held = new AsyncDisposableStack();
      const holder = held.adopt(connectPostgres({ url, poolSize: 1, applicationName: 'test' }), (one) => one.destroy());
      const lock = await holder.transaction();
      await lock.raw('LOCK TABLE filebox.entries IN ACCESS EXCLUSIVE MODE');
      expect((await countUsage(db, String(id), 200)).used).toBeUndefined();
      await lock.rollback();
      expect((await countUsage(db, String(id), 60_000)).used?.folders).toBeGreaterThanOrEqual(1);
      // The limit of the time was that of one transaction.
      const { rows } = await db.raw<{ rows: { statement_timeout: string }[] }>('SHOW statement_timeout');
      expect(rows[0]?.statement_timeout).not.toBe('200ms');
    } finally {
      await db.destroy();
    }
  });

  it('is refused without the permission, for what does not exist, and for what belongs to others', async () => {
    expect((await get('acme-files', '')).status).toBe(401);
    expect((await get('acme-files', site.manager.viewer)).status).toBe(403);
    const [foreign, unknown] = await Promise.all([get('acme-files', gina), get('no-files', gina)]);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.text.replaceAll('acme-files', 'no-files').replace(/"requestId":"[^"]*"/u, '')).toBe(
      unknown.text.replace(/"requestId":"[^"]*"/u, ''),
    );
    for (const name of ['__proto__', "x' OR '1'='1", 'a/b']) expect([400, 404]).toContain((await get(name)).status);
  });

  it('is shown by `waybill vfs usage`', async () => {
    await using access = await platformAccess(site.manager);
    const [shown, missing] = await Promise.all([
      runWaybill('vfs', 'usage', 'limited-files', ...access.options),
      runWaybill('vfs', 'usage', 'no-files', ...access.options),
    ]);
    expect(shown).toEqual({
      code: 0,
      out: expect.stringMatching(/bytes +0 +1000\nfiles +0 +10\nfolders +0 +unlimited/u),
    });
    expect(missing.code).toBe(1);
  });
});
