import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { oneLoggedIn } from './one-platform.ts';
import { environmentIn, waybillAt } from './waybill.ts';

const site = oneLoggedIn();
const soon = { timeout: 10_000, interval: 50 };

it('session: logins of managers are listed and ended, after which their tokens are refused', async () => {
  await using folder = await createTestFolder();
  const elsewhere = waybillAt(folder.path);
  await elsewhere(['login', '--url', site.platform.url, '--user', 'admin'], { input: 'admin-demo' });
  expect((await elsewhere(['status'])).code).toBe(0);
  const listed = (await site.json('session', 'list')) as { id: number; user: string; current: boolean }[];
  expect(listed.map(({ user, current }) => [user, current])).toEqual([
    ['admin', false],
    ['admin', true],
  ]);
  expect(await site.done('session', 'list')).toMatch(
    /^NUMBER +USER +ADDRESS +SINCE\n\d+ +admin +127\.0\.0\.1 +\S+Z\n\d+ +admin +127\.0\.0\.1 +\S+Z +this one\n$/u,
  );
  const number = String(listed[0]?.id);
  expect(await site.done('session', 'revoke', number)).toBe(`The session ${number} has ended.\n`);
  await expect.poll(async () => (await elsewhere(['status'])).code, soon).toBe(4);
  expect(await site.json('session', 'list')).toHaveLength(1);
  expect(await site.waybill(['session', 'revoke', number])).toMatchObject({ code: 1, out: '' });
  for (const wrong of ['0', 'x', '../1', '9'.repeat(30)]) {
    expect(await site.waybill(['session', 'revoke', wrong])).toMatchObject({ code: 2, out: '' });
  }
  expect(await site.done('status')).toContain('up');
});

it('api-key: a key is created, used, listed and revoked', async () => {
  const key = (await site.done('api-key', 'create', 'nightly', '--roles', 'Administrators')).trim();
  expect(key).toMatch(/^wbk_[-\w]{48}$/u);
  const env = { WAYBILL_URL: site.platform.url, WAYBILL_TOKEN: key };
  expect((await site.waybill(['jobs', 'list'], { env })).code).toBe(0);
  const [listed] = (await site.json('api-key', 'list')) as { id: number; name: string }[];
  expect(listed).toMatchObject({ name: 'nightly', user: 'admin', roles: ['Administrators'] });
  expect(await site.done('api-key', 'list')).not.toContain(key);
  const number = String(listed?.id);
  expect(await site.done('api-key', 'revoke', number)).toBe(`The API key ${number} was revoked.\n`);
  await expect.poll(async () => (await site.waybill(['jobs', 'list'], { env })).code, soon).toBe(4);
  expect(await site.done('api-key', 'list')).toBe('There are none.\n');
  expect((await site.waybill(['api-key', 'revoke', number])).code).toBe(1);
});

it('api-key: the first example of its documentation runs as it is written', async () => {
  const page = await readFile(new URL('../../../docs/api-keys.md', import.meta.url), 'utf8');
  const [, example = ''] = /^```sh\n(.*?)^```$/msu.exec(page) ?? [];
  expect(example).toContain('waybill api-key create ');
  // The platform of the tests is served without TLS.
  const script = example
    .replaceAll('https://127.0.0.1:9443', site.platform.url)
    .replaceAll(/ --(?:ca|cacert) authority\.pem/gu, '');
  await using folder = await createTestFolder();
  const program = join(folder.path, 'waybill');
  const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  const env: Record<string, string> = { ...environmentIn(folder.path), WAYBILL_PASSWORD: 'admin-demo' };
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
    cwd: folder.path,
    env: { ...env, PATH: `${folder.path}:${env['PATH']}` },
  });
  expect(stdout).toMatch(/\{"jobs":\[/u);
  expect(stdout).toMatch(/ci\b.*jobs:read, jobs:run/u);
});

it('drift, adopt, release and force use the context', async () => {
  expect(await site.done('drift')).toBe('Nothing differs.\n');
  await site.waybill(['objects', 'create', 'actors'], { input: '{"name":"wayne","type":"Partner"}' });
  const source = ['--source', 'default'];
  expect(await site.done('adopt', 'actors', 'wayne', ...source)).toBe('wayne belongs to the source default.\n');
  expect(await site.done('release', 'actors', 'wayne', ...source)).toBe('wayne belongs to the API.\n');
  const patch = ['--reason', 'incident', '--patch', '{"description":"changed"}'];
  expect(await site.done('force', 'actors', 'acme', ...patch)).toContain('acme is changed');
  expect(await site.waybill(['drift', '--exit-code'])).toMatchObject({
    code: 2,
    out: expect.stringMatching(/Actor acme was forced by admin at \S+: incident\n/u),
  });
});

it('plan, apply, export and validate use the context, unless a database is given', async () => {
  const file = join(site.home, 'team.yaml');
  await writeFile(file, 'source: team\nactors:\n  - { name: stark, type: Partner }\n');
  const name = `admin@${new URL(site.platform.url).host}`;
  const planned = await site.waybill(['plan', file, '--exit-code']);
  expect(planned).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^\+ Actor stark\n/u),
    err: `Target: ${name}\n`,
  });
  const id = /^Plan (\S+):/mu.exec(planned.out)?.[1] ?? '';
  expect(await site.done('apply', id)).toContain('Applied: 1 created, 0 modified, 0 deleted.\n');
  expect(await site.done('export', '--source', 'team')).toContain('name: stark');
  await writeFile(file, 'source: team\n');
  expect(await site.waybill(['apply', file, '--without-removals'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('- Actor stark'),
  });
  expect(await site.waybill(['apply', file, '--unless-applied', 'stamp'])).toMatchObject({ code: 2 });

  await writeFile(file, 'source: team\nactors:\n  - { name: acme, type: Partner }\n');
  expect(await site.done('validate', file, '--partial')).toContain('The configuration is valid.\n');
  expect((await site.waybill(['validate', file, '--context', name])).code).toBe(1);
  const env = { DATABASE_URL: 'postgresql://waybill@127.0.0.1:1/none' };
  expect(await site.waybill(['plan', file], { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining('the database at DATABASE_URL cannot be reached'),
  });
  expect((await site.waybill(['plan', file, '--context', name], { env })).err).toContain('acme');
});

it('webhook list and replay use the context', async () => {
  expect(await site.done('webhook', 'list')).toBe('There are none.\n');
  expect(await site.waybill(['webhook', 'replay', '999999'])).toMatchObject({ code: 1, out: '' });
});

it('audit verify reads the platform of the context, unless a file is given', async () => {
  const checkpoint = join(site.home, 'checkpoint.txt');
  expect(await site.done('audit', 'verify', '--save', checkpoint)).toMatch(/^[1-9]\d* records, 0 findings$/mu);
  expect(await readFile(checkpoint, 'utf8')).toContain('\n\n');
  expect(await site.done('audit', 'verify', '--since', checkpoint)).toContain(' 0 findings');
  expect(await site.waybill(['audit', 'verify', '--file', checkpoint, '--context', 'x'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('give either --file or a platform'),
  });
  expect((await site.waybill(['audit', 'verify', '--context', 'nowhere'])).code).toBe(2);
  const env = { WAYBILL_URL: site.platform.url, WAYBILL_TOKEN: 'not.a.token' };
  expect((await site.waybill(['audit', 'verify'], { env })).code).toBe(4);
});

it('audit: a record is shown with its context and what was changed', async () => {
  await writeFile(join(site.home, 'shown.json'), '{"name":"shown","type":"Partner"}');
  await site.done('objects', 'create', 'actors', '--file', 'shown.json');
  const filter = '{entityName="shown"}';
  const [record] = await waitFor(
    async () => {
      const found = (await site.json('audit', 'query', '--filter', filter)) as { id: string }[];
      return found.length === 0 ? undefined : found;
    },
    { what: 'the record' },
  );
  const id = record?.id ?? '';
  const shown = await site.done('audit', 'show', id);
  expect(shown).toMatch(new RegExp(`^id +${id}$`, 'mu'));
  expect(shown).toMatch(/^dataoneUser +admin$/mu);
  expect(shown).toMatch(/^difference\n(?: {2}.*\n)* {2}type: nothing -> Partner\n/mu);
  const [whole] = (await site.json('audit', 'show', id)) as { id: string; context: { difference: string } }[];
  expect(whole).toMatchObject({ id, context: { difference: expect.stringContaining('"type":"Partner"') } });
  expect(await site.waybill(['audit', 'show', '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no audit record'),
  });
  for (const wrong of ['1', id.slice(0, 8), `${id}",dataoneUser="acme`]) {
    expect(await site.waybill(['audit', 'show', wrong])).toMatchObject({ code: 2 });
  }
  await site.done('objects', 'delete', 'actors', 'shown');
});

it('errors name what to do here: the actor, and the command for oneself', async () => {
  const [contract] = (await site.json('objects', 'list', 'connection-contracts', '--actor', 'acme')) as {
    name: string;
  }[];
  expect(await site.waybill(['objects', 'show', 'connection-contracts', contract?.name ?? ''])).toMatchObject({
    code: 1,
    err: expect.stringContaining('name it with --actor'),
  });
  expect((await site.waybill(['managers', 'first-password', 'admin'])).err).toContain('`waybill password`');
  expect((await site.waybill(['managers', 'reset-second-factor', 'admin'])).err).toContain(
    '`waybill second-factor disable`',
  );
  expect((await site.waybill(['managers', 'reset-second-factor', 'viewer'])).err).toMatch(
    /The user viewer has no second factor\n {2}Nothing has to be removed\.\n$/u,
  );
  expect((await site.waybill(['managers', 'reset-second-factor', 'nobody'])).err).toContain('There is no');
});

it('users: listed, frozen and thawed', async () => {
  expect(await site.done('users', 'list')).toMatch(/LAST LOGIN +OWNER\n(?:.*\n)*acme +acme +active +1 +\d{4}-\S+Z/u);
  expect(await site.done('users', 'freezes')).toBe('There are none.\n');
  expect(await site.done('users', 'freeze', 'acme', '--reason', 'on leave')).toContain('acme is frozen since');
  expect(await site.done('users', 'list', '--actor', 'acme')).toMatch(/^acme +acme +frozen by admin: on leave {2}/mu);
  expect(await site.done('users', 'freezes')).toMatch(/REASON\nacme +acme +\d{4}-\S+Z +admin +on leave\n$/u);
  expect(await site.json('users', 'list', '--name', 'acme')).toMatchObject([
    { name: 'acme', enabled: true, freeze: { frozenBy: 'admin', reason: 'on leave' } },
  ]);
  expect((await site.waybill(['files', 'ls'])).code).toBe(4);
  expect(await site.done('users', 'thaw', 'acme')).toBe('acme is not frozen\n');
  expect(await site.json('users', 'list', '--name', 'acme')).toMatchObject([{ name: 'acme', freeze: null }]);
  expect(await site.waybill(['users', 'freeze', 'no-such-user'])).toMatchObject({ code: 1 });
  await site.waybill(['login', '--url', site.platform.url, '--user', 'acme', '--partner'], { input: 'acme-demo' });
});
