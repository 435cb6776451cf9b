import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { applyConfiguration } from '../src/configuration/apply-configuration.ts';
import { openPlatformFolder, type PlatformFolder, tourFile } from '../src/configuration/platform-folder.ts';
import { runWaybill } from '../src/configuration/run-waybill.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { signal } = new AbortController();

const partner = (name: string) => `
  - name: ${name}
    type: Partner
    users: [{ name: ${name}, password: '\${ACME_PASSWORD:-a-default}' }]
    virtualFileSystems: [{ name: ${name}-files, folders: [/in] }]`;
const platform = (...actors: string[]) => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: '\${ADMIN_PASSWORD:-admin-default}', roles: [Administrators] }]
actors: ${actors.map(partner).join('')}
`;

async function migrate(url: string): Promise<void> {
  const environment = { DATABASE_URL: url, DATABASE_PASSWORD_OPERATOR: testRoles.passwords.operator };
  await runWaybill({ root, args: ['migrate'], environment, signal });
}

let database: TestDatabase;
let files: TestFolder;
let folder: PlatformFolder;

beforeEach(async () => {
  database = await createTestDatabase({ name: 'local_platform', prepare: migrate });
  files = await createTestFolder();
  folder = openPlatformFolder(path.join(files.path, 'platform'));
});
afterEach(async () => {
  await database.drop();
  await files.remove();
});

/** What a start does between the migrations and the services, with `env` as its environment. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const inForce = await applyConfiguration({
    root,
    folder,
    env,
    config: {
      WAYBILL_CONFIGURATION: env['WAYBILL_CONFIGURATION'],
      WAYBILL_REMOVALS: env['WAYBILL_REMOVALS'] === 'allow' ? 'allow' : '',
    },
    environment: { DATABASE_URL: urlAs('operator', database.url), MANAGER_NAME: 'manager1', ACME_PUBLIC_KEY: '' },
    signal,
    report: (line) => lines.push(line),
  });
  await writeFile(tourFile(folder), '');
  return { lines, inForce };
}

async function configurationFile(text: string): Promise<string> {
  const file = path.join(files.path, 'platform.yaml');
  await writeFile(file, text);
  return file;
}

const actors = async () =>
  (await database.query('SELECT name FROM directory.actors ORDER BY name')).map((row) => String(row['name']));

const logsIn = async (password: string): Promise<boolean> => {
  const db = connectPostgres({ url: database.url, poolSize: 1, applicationName: 'test' });
  try {
    const name = userNameSchema.parse('admin');
    return (await openDirectory({ db }).authenticateManagerUser(name, password)) !== undefined;
  } finally {
    await db.destroy();
  }
};

it('applies the demo when nothing else is said, and the next time nothing', async () => {
  expect((await start()).lines).toEqual([
    'Applying the configuration deploy/demo/platform.yaml',
    expect.stringMatching(/^ {2}Applied: \d+ created, 0 modified, 0 deleted\.$/u),
  ]);
  expect((await start()).lines).toEqual([
    'Applying the configuration deploy/demo/platform.yaml',
    '  Nothing to change: the configuration is in force.',
  ]);
});

it('applies the file that WAYBILL_CONFIGURATION names, the next start too, and says what changed in it', async () => {
  const file = await configurationFile(platform('acme'));
  await start({ WAYBILL_CONFIGURATION: file });
  expect(await actors()).toEqual(['acme']);
  await configurationFile(platform('acme', 'hooli'));
  expect((await start()).lines).toEqual([
    `Applying the configuration ${file}`,
    '  + Actor hooli',
    '  + External User hooli',
    '  + VFS hooli-files',
    '  Applied: 3 created, 0 modified, 0 deleted.',
  ]);
});

it('removes nothing unless requested, for this start only', async () => {
  const file = await configurationFile(platform('acme', 'hooli'));
  await start({ WAYBILL_CONFIGURATION: file });
  await configurationFile(platform('acme'));
  const { lines } = await start();
  expect(lines).toEqual([
    `Applying the configuration ${file}`,
    `The configuration ${file} was not applied, because it would remove Actor hooli, External User hooli, VFS hooli-files: ` +
      `add what is missing to it, or remove them with WAYBILL_CONFIGURATION=${file} WAYBILL_REMOVALS=allow npm start. ` +
      'The platform goes on with the configuration that is in force.',
  ]);
  expect(await actors()).toEqual(['acme', 'hooli']);
  expect((await start({ WAYBILL_REMOVALS: 'allow' })).lines).toContain('  - VFS hooli-files');
  expect(await actors()).toEqual(['acme']);
  await configurationFile(platform('globex'));
  await start();
  expect(await actors()).toEqual(['acme']);
});

it('keeps a platform whose configuration was applied by hand, when the demo would remove some of it', async () => {
  await start();
  const file = await configurationFile(platform('acme', 'hooli'));
  const environment = { DATABASE_URL: urlAs('operator', database.url), ADMIN_PASSWORD: 'by hand' };
  await runWaybill({ root, args: ['apply', file], environment, signal });
  expect((await start()).lines.at(-1)).toMatch(/^The configuration deploy\/demo\/platform\.yaml was not applied, /u);
  expect(await actors()).toEqual(['acme', 'hooli']);
  await start({ WAYBILL_REMOVALS: 'allow' });
  expect(await actors()).toEqual(['acme', 'globex', 'initech']);
  expect([await logsIn('by hand'), await logsIn('admin-demo')]).toEqual([true, false]);
});

it('reports that a VFS still holds files, even if removals are allowed, and continues', async () => {
  const file = await configurationFile(platform('acme', 'hooli'));
  await start({ WAYBILL_CONFIGURATION: file });
  await database.query(`
    INSERT INTO filebox.uploads (blob_id, storage_class, parent_id, name, user_name, resumable, holder, lease_until)
    SELECT gen_random_uuid(), 'local', id, 'a.csv', 'hooli', true, gen_random_uuid(), now()
      FROM filebox.entries WHERE name = 'in'`);
  await configurationFile(platform('acme'));
  expect((await start({ WAYBILL_REMOVALS: 'allow' })).lines.at(-1)).toMatch(
    /could not be applied: .*VFS hooli-files still holds files.* goes on with the configuration that is in force\.$/u,
  );
  expect(await actors()).toEqual(['acme', 'hooli']);
});

it.each([
  ['is not there', undefined, /There is no file/u],
  ['is empty', '', /could not be applied/u],
  ['is not YAML', 'a: [', /is not YAML/u],
  ['is not text', '\0\u{fffd}\0', /could not be applied/u],
  [
    'is wrong in two places',
    platform('acme').replace('SFTP }', 'FTP }').replace('Partner', 'Friend'),
    /protocol: .+; .+type: /u,
  ],
  ['names a variable that nothing has', platform('acme').replace(':-a-default', ''), /no variable ACME_PASSWORD/u],
])('refuses a first start whose file %s, in one sentence', async (_, text, fault) => {
  const wrong = path.join(files.path, 'wrong.yaml');
  if (text !== undefined) await writeFile(wrong, text);
  const outcome = start({ WAYBILL_CONFIGURATION: wrong });
  await expect(outcome).rejects.toThrow(fault);
  await expect(outcome).rejects.toMatchObject({ name: 'Refusal', message: expect.not.stringContaining('\n') });
});

it('continues with the configuration in force if the file is invalid or missing, and does not remember a file that was never applied', async () => {
  const file = await configurationFile(platform('acme'));
  await start({ WAYBILL_CONFIGURATION: file });
  const goesOn = /\. The platform goes on with the configuration that is in force\.$/u;
  const missing = await start({ WAYBILL_CONFIGURATION: path.join(files.path, 'none.yaml') });
  expect(missing.lines.at(-1)).toMatch(/There is no file/u);
  expect(missing.lines.at(-1)).toMatch(goesOn);
  expect(missing.inForce.remembered?.file).toBe(file);
  await configurationFile('a: [');
  expect((await start()).lines.at(-1)).toMatch(goesOn);
  await configurationFile(platform('acme'));
  expect((await start()).lines.at(-1)).toBe('  Nothing to change: the configuration is in force.');
});

it('keeps a password that was given once, in a file that only its owner can read', async () => {
  const password = `it's "$HOME" \`#\` \\ ä€ \n`;
  await start({ ADMIN_PASSWORD: password });
  expect(await logsIn(password)).toBe(true);
  const { lines, inForce } = await start();
  expect(lines.at(-1)).toBe('  Nothing to change: the configuration is in force.');
  expect(await logsIn(password)).toBe(true);
  const file = inForce.remembered?.variables['ADMIN_PASSWORD'] ?? '';
  expect(await readFile(file, 'utf8')).toBe(`${password}\n`);
  for (const secret of [file, folder.configuration]) expect((await stat(secret)).mode & 0o777).toBe(0o600);
  expect(await readFile(folder.configuration, 'utf8')).not.toContain('HOME');
  await start({ ADMIN_PASSWORD: 'on purpose', ADMIN_PASSWORD_FILE: '' });
  await start({ ADMIN_PASSWORD: '' });
  expect([await logsIn('on purpose'), await logsIn('admin-demo')]).toEqual([true, false]);
});

it('keeps a password whose file no longer exists', async () => {
  const secret = path.join(files.path, 'secret');
  await writeFile(secret, 'from a file\n');
  await start({ ADMIN_PASSWORD_FILE: secret });
  expect((await start()).inForce.remembered?.variables).toEqual({ ADMIN_PASSWORD: secret });
  await writeFile(secret, '');
  expect((await start()).lines.at(-1)).toMatch(/ADMIN_PASSWORD_FILE names a file that is empty/u);
  expect([await logsIn('from a file'), await logsIn('admin-demo')]).toEqual([true, false]);
});

it('keeps a password that an older release was given, or that was changed by hand since', async () => {
  const demo = path.join('deploy', 'demo', 'platform.yaml');
  const environment = { DATABASE_URL: urlAs('operator', database.url) };
  await runWaybill({ root, args: ['apply', demo], environment: { ...environment, ADMIN_PASSWORD: 'older' }, signal });
  await writeFile(tourFile(folder), '');
  const { lines, inForce } = await start();
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}! admin keeps the password/u));
  expect(inForce.keepers).toEqual(new Set(['admin']));
  expect([await logsIn('older'), await logsIn('admin-demo')]).toEqual([true, false]);
  await start({ ADMIN_PASSWORD: 'remembered' });
  await runWaybill({ root, args: ['apply', demo], environment: { ...environment, ADMIN_PASSWORD: 'by hand' }, signal });
  expect((await start()).inForce.keepers).toEqual(new Set(['admin']));
  expect(await logsIn('by hand')).toBe(true);
});

it.each([['{'], ['[]'], ['{"file":"","variables":{}}'], ['{"file":"/x","variables":{"../up":"/x"}}']])(
  'refuses a memory that says %j',
  async (text) => {
    await writeFile(folder.configuration, text);
    await expect(start()).rejects.toMatchObject({ name: 'Refusal', message: expect.stringContaining('is damaged') });
  },
);
