import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashPassword } from '@waybill/access/hash-password';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { setManagerPassword } from '@waybill/directory/logins/set-manager-password';
import { openDirectory } from '@waybill/directory/open-directory';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { errorsInto } from './errors-into.ts';

const partner = (name: string) => `
  - name: ${name}
    type: Partner
    users: [{ name: ${name}, password: '\${PARTNER_PASSWORD:-partner-default}' }]
    virtualFileSystems: [{ name: ${name}-files, folders: [/in] }]`;
const platform = (...actors: string[]) => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: '\${SECRET:-admin-default}', roles: [Administrators] }]
actors: ${actors.length === 0 ? '[]' : actors.map(partner).join('')}
`;

let database: TestDatabase;
let folder: TestFolder;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await createTestFolder();
  const env = { DATABASE_URL: database.url, DATABASE_PASSWORD_OPERATOR: testRoles.passwords.operator };
  await runCommandLine(['migrate'], { env, out: () => {}, err: () => {} });
});
afterEach(async () => {
  await database.drop();
  await folder.remove();
});

async function run(text: string, command: string[], variables: Readonly<Record<string, string>> = {}) {
  const file = path.join(folder.path, 'platform.yaml');
  await writeFile(file, text);
  const [out, err]: [string[], string[]] = [[], []];
  const env = { DATABASE_URL: urlAs('operator', database.url), ...variables };
  const surroundings = { env, out: (line: string) => out.push(line), err: errorsInto(err) };
  const code = await runCommandLine([...command, file], surroundings);
  return { code, out, err };
}

async function inDatabase<R>(use: (db: ReturnType<typeof connectPostgres>) => Promise<R>): Promise<R> {
  const db = connectPostgres({ url: database.url, poolSize: 1, applicationName: 'test' });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

const canLogIn = (password: string) =>
  inDatabase(async (db) => {
    const user = await openDirectory({ db }).authenticateManagerUser(userNameSchema.parse('admin'), password);
    return user !== undefined;
  });

/** What the user does through the API. */
async function changePassword(password: string): Promise<void> {
  const chosen = await hashPassword(password);
  await inDatabase(async (db) => {
    const user = await db('directory.manager_users').first<{ id: string }>('id');
    await db.transaction((trx) => setManagerPassword(trx, user.id, chosen));
  });
}

describe('waybill apply --without-removals', () => {
  it('applies what removes nothing', async () => {
    expect(await run(platform('acme'), ['apply', '--without-removals'])).toMatchObject({ code: 0, err: [] });
    const again = await run(platform('acme', 'hooli'), ['apply', '--without-removals']);
    expect(again).toMatchObject({ code: 0, err: [] });
    expect(again.out).toContain('+ VFS hooli-files');
  });

  it.each([['without files'], ['with files']])('names all that would go %s, and changes nothing', async (which) => {
    await run(platform('acme', 'hooli'), ['apply']);
    if (which === 'with files') {
      await database.query(`
        INSERT INTO filebox.uploads (blob_id, storage_class, parent_id, name, user_name, resumable, holder, lease_until)
        SELECT gen_random_uuid(), 'local', id, 'a.csv', 'hooli', true, gen_random_uuid(), now()
          FROM filebox.entries WHERE name = 'in'`);
    }
    expect(await run(platform('acme', 'globex'), ['apply', '--without-removals'])).toEqual({
      code: 3,
      out: [],
      err: [
        'waybill apply: nothing was applied, because the configuration would remove',
        '  - Actor hooli',
        '  - External User hooli',
        `  - VFS hooli-files${which === 'with files' ? ' (holds 1 file)' : ''}`,
      ],
    });
    expect((await run(platform('acme', 'hooli'), ['plan'])).out).toEqual([
      'Nothing to change: the configuration is already applied.',
    ]);
  });
});

describe('a default password of the configuration', () => {
  const keeps = (user: string) =>
    `! ${user} keeps the password that was set before. The password in the configuration is only a default: set its variable to change the password.`;

  it('sets the first password, and replaces none that a variable has set', async () => {
    expect((await run(platform(), ['apply'])).code).toBe(0);
    expect(await canLogIn('admin-default')).toBe(true);
    await run(platform(), ['apply'], { SECRET: 'chosen' });
    expect(await canLogIn('chosen')).toBe(true);
    const unchanged = [keeps('admin'), 'Nothing to change: the configuration is already applied.'];
    expect((await run(platform(), ['plan'])).out).toEqual(unchanged);
    expect((await run(platform(), ['apply'], { SECRET: '' })).out).toEqual(unchanged);
    expect(await canLogIn('chosen')).toBe(true);
    expect(await canLogIn('admin-default')).toBe(false);
  });

  it('is what a variable that --as-defaults names has, too', async () => {
    await run(platform('acme'), ['apply'], { SECRET: 'chosen', PARTNER_PASSWORD: 'partner-chosen' });
    const command = ['apply', '--as-defaults', 'SECRET,PARTNER_PASSWORD'];
    const kept = await run(platform('acme'), command, { SECRET: 'older', PARTNER_PASSWORD: 'partner-older' });
    expect(kept.out.toSorted()).toEqual([
      keeps('acme'),
      keeps('admin'),
      'Nothing to change: the configuration is already applied.',
    ]);
    expect(await canLogIn('chosen')).toBe(true);
    await run(platform('acme'), ['apply', '--as-defaults', 'PARTNER_PASSWORD'], { SECRET: 'newer' });
    expect(await canLogIn('newer')).toBe(true);
  });

  it('does not replace a password that was set otherwise', async () => {
    const without = platform().replace(/ password: '[^']+',/u, '');
    expect((await run(without, ['apply'])).code).toBe(0);
    await changePassword('chosen');
    expect((await run(platform(), ['apply'])).out).toEqual([
      keeps('admin'),
      'Nothing to change: the configuration is already applied.',
    ]);
    expect(await canLogIn('chosen')).toBe(true);
  });
});

describe('a password that a user has changed', () => {
  const keeps = (why: string) =>
    `! admin keeps the password that was set before. The password in the configuration ${why}.`;
  const nothing = 'Nothing to change: the configuration is already applied.';
  const sameAsBefore = keeps('has not changed: configure another one to change the password');
  const onlyDefault = keeps('is only a default: set its variable to change the password');

  it('is reset by its variable, also to the value that the configuration had before', async () => {
    await run(platform(), ['apply'], { SECRET: 'first' });
    await changePassword('chosen');
    const lines = ['~ Internal User admin', '    password: changed'];
    expect((await run(platform(), ['plan'], { SECRET: 'first' })).out).toEqual(expect.arrayContaining(lines));
    expect((await run(platform(), ['apply'], { SECRET: 'first' })).out).toEqual(expect.arrayContaining(lines));
    expect([await canLogIn('first'), await canLogIn('chosen')]).toEqual([true, false]);
    expect((await run(platform(), ['apply'], { SECRET: 'first' })).out).toEqual([nothing]);
  });

  it('is reset by its variable to the default, and stays without the variable, which a line tells', async () => {
    await run(platform(), ['apply']);
    await changePassword('chosen');
    expect((await run(platform(), ['apply'])).out).toEqual([onlyDefault, nothing]);
    const remembered = await run(platform(), ['apply', '--as-defaults', 'SECRET'], { SECRET: 'admin-default' });
    expect(remembered.out).toEqual([onlyDefault, nothing]);
    expect(await canLogIn('chosen')).toBe(true);
    await run(platform(), ['apply'], { SECRET: 'admin-default' });
    expect([await canLogIn('admin-default'), await canLogIn('chosen')]).toEqual([true, false]);
  });

  it('is kept without a line when it is the default', async () => {
    await run(platform(), ['apply'], { SECRET: 'first' });
    await changePassword('admin-default');
    expect((await run(platform(), ['apply'])).out).toEqual([nothing]);
    expect(await canLogIn('admin-default')).toBe(true);
  });

  it('stays while the file has the same one as before, which a line tells', async () => {
    const literal = (password: string) => platform().replace(/'\$\{SECRET[^']+'/u, password);
    await run(literal('first'), ['apply']);
    await changePassword('chosen');
    expect((await run(literal('first'), ['apply'])).out).toEqual([sameAsBefore, nothing]);
    expect(await canLogIn('chosen')).toBe(true);
    await run(literal('second'), ['apply']);
    expect(await canLogIn('second')).toBe(true);
  });

  it('stays with --unless-applied, whose variables are set for good, until a variable has another value', async () => {
    const unattended = ['apply', '--unless-applied', path.join(folder.path, 'applied')];
    await run(platform(), unattended, { SECRET: 'first' });
    await changePassword('chosen');
    const { out } = await run(platform('acme'), unattended, { SECRET: 'first' });
    expect([out[0], await canLogIn('chosen')]).toEqual([sameAsBefore, true]);
    await run(platform('acme'), unattended, { SECRET: 'second' });
    expect(await canLogIn('second')).toBe(true);
  });
});
