import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { errorsInto } from './errors-into.ts';

const platform = `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: '\${SECRET:-hidden-value}', roles: [Administrators] }]
actors:
  - name: acme
    type: Partner
    virtualFileSystems: [{ name: acme-files, folders: [/inbox/new] }]
`;

/** By table: an upload on its way, and a file. */
const whatHolds = {
  uploads: `
    INSERT INTO filebox.uploads (blob_id, storage_class, parent_id, name, user_name, resumable, holder, lease_until)
    SELECT gen_random_uuid(), 'local', id, 'a.csv', 'acme', true, gen_random_uuid(), now()
      FROM filebox.entries WHERE name = 'new'`,
  entries: `
    INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
      put_at, metadata, system_metadata, dfic)
    SELECT vfs_id, id, 'file', 'a.csv', 'acme', 'local', gen_random_uuid(), 0, sha256(''), 'text/csv', now(), '{}', '{}', '{}'
      FROM filebox.entries WHERE name = 'new'`,
};

let database: TestDatabase;
/** From then on every command but `migrate` runs as the operator's role. */
let migrated = false;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-cli-'));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function waybill(...args: string[]) {
  const asOperator = migrated && args[0] !== 'migrate';
  migrated ||= args[0] === 'migrate';
  const password = asOperator ? {} : { DATABASE_PASSWORD_OPERATOR: testRoles.passwords.operator };
  return await waybillIn(
    { DATABASE_URL: asOperator ? urlAs('operator', database.url) : database.url, ...password },
    ...args,
  );
}

async function waybillIn(env: Record<string, string>, ...args: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await runCommandLine(args, { env, out: (line) => lines.push(line), err: errorsInto(errors) });
  expect(`${lines.join('\n')}${errors.join('\n')}`).not.toContain('hidden-value');
  return { code, out: lines.join('\n'), err: errors.join('\n') };
}

async function platformFile(text: string): Promise<string> {
  const file = path.join(folder, 'platform.yaml');
  await writeFile(file, text);
  return file;
}

describe('waybill', () => {
  it('brings an empty database to a configuration in force, step by step', async () => {
    const file = await platformFile(platform);
    expect(await waybill('plan', file)).toEqual({
      code: 1,
      out: '',
      err: 'waybill plan: the database has not been prepared: run `waybill migrate` first',
    });
    expect((await waybill('migrate')).out).toMatch(/^applied directory\.0001_platform\n[\s\S]*is up to date now\.$/u);
    expect(await waybill('migrate')).toEqual({ code: 0, out: 'The database is up to date.', err: '' });

    const planned = await waybill('plan', file);
    expect(planned.out).toMatch(/^\+ Cluster cluster1\n[\s\S]*To be applied: 5 created, 0 modified, 0 deleted\.$/u);
    const applied = await waybill('apply', file);
    expect(applied.code).toBe(0);
    expect(applied.out.split('\n').slice(-3)).toEqual([
      'Applied: 5 created, 0 modified, 0 deleted.',
      '+ folder acme-files:/inbox',
      '+ folder acme-files:/inbox/new',
    ]);
    const again = { code: 0, out: 'Nothing to change: the configuration is already applied.', err: '' };
    expect(await waybill('apply', file)).toEqual(again);
    expect(await waybill('plan', file)).toEqual(again);
  });

  it('does not touch a database that a newer release has migrated, with any command', async () => {
    const file = await platformFile(platform);
    await waybill('migrate');
    await database.query("insert into filebox.migrations (name) values ('9999_later')");
    for (const command of [['migrate'], ['plan', file], ['apply', file], ['keys', 'acme'], ['files', 'verify']]) {
      const { code, out, err } = await waybillIn({ DATABASE_URL: database.url, BLOB_DIR: folder }, ...command);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(
        'the database is newer than this release, which does not know the migration filebox.9999_later:',
      );
    }
    await database.query("delete from filebox.migrations where name = '9999_later'");
  });

  it('shows what is modified and deleted, and refuses to let go of a VFS with files', async () => {
    const changed = platform.replace('type: Partner', 'type: Application').replace('acme-files', 'other-files');
    const file = await platformFile(changed);
    const { out } = await waybill('plan', file);
    expect(out.split('\n')).toEqual([
      '~ Actor acme',
      '    type: Partner -> Application',
      '- VFS acme-files',
      '+ VFS other-files',
      'To be applied: 1 created, 1 modified, 1 deleted.',
    ]);
    const refused = (command: string) =>
      `waybill ${command}: VFS acme-files cannot be removed: it holds 1 file. Keep it in the configuration, or delete the files first.`;
    for (const [held, insert] of Object.entries(whatHolds)) {
      await database.query(insert);
      expect(await waybill('plan', file)).toMatchObject({ code: 1, err: refused('plan') });
      expect(await waybill('apply', file)).toMatchObject({ code: 1, err: refused('apply') });
      await database.query(`DELETE FROM filebox.${held} WHERE name = 'a.csv'`);
    }
    expect((await waybill('apply', file)).code).toBe(0);
  });

  it('reports how many files a new retention deletes at once', async () => {
    await waybill('migrate');
    await waybill('apply', await platformFile(platform));
    await database.query(whatHolds.entries);
    await database.query("UPDATE filebox.entries SET put_at = now() - interval '3 hours' WHERE name = 'a.csv'");
    const kept = platform.replace('acme-files,', 'acme-files, retention: { hoursAfterPut: 4 },');
    const file = await platformFile(kept);
    const lines = ['~ VFS acme-files', '    retention: nothing -> { hoursAfterPut: 4 }'];
    const totals = '0 created, 1 modified, 0 deleted.';
    expect((await waybill('plan', file)).out.split('\n')).toEqual([...lines, `To be applied: ${totals}`]);
    await platformFile(kept.replace('hoursAfterPut: 4', 'hoursAfterGet: 1, hoursAfterPut: 3'));
    expect((await waybill('plan', file)).out).toContain(
      '\n    ! one file is already past that time and would be deleted within about a minute\n',
    );
    expect((await waybill('apply', file)).out).toContain('already past that time and will be deleted');
    await database.query("DELETE FROM filebox.entries WHERE name = 'a.csv'");
  });

  it('tells of a password that changes, but not to which', async () => {
    const file = await platformFile(platform);
    await waybill('apply', file);
    const env = { DATABASE_URL: urlAs('operator', database.url), SECRET: 'hidden-value-too' };
    expect((await waybillIn(env, 'plan', file)).out).toContain('~ Internal User admin\n    password: changed\n');
  });

  it('reports that a folder of the configuration cannot be created because a file has its name', async () => {
    await waybill('apply', await platformFile(platform));
    await database.query(whatHolds.entries);
    const file = await platformFile(platform.replace('/inbox/new', '/inbox/new/a.csv/deeper'));
    expect(await waybill('apply', file)).toMatchObject({
      code: 1,
      err: 'waybill apply: The configuration was applied, but acme-files:/inbox/new/a.csv is a file: the folder cannot be created',
    });
  });

  it('names every place that is wrong', async () => {
    const file = await platformFile(platform.replace('SFTP }', 'FTP }').replace('type: Partner', 'type: Friend'));
    const { code, err } = await waybill('plan', file);
    expect(code).toBe(1);
    const [heading, ...places] = err.split('\n');
    expect(heading).toBe('waybill plan: 2 errors:');
    expect(places).toEqual([
      '  platform.yaml:3:61: clusters[0].servers[0].protocol: must be SFTP or HTTP; did you mean SFTP?',
      '  platform.yaml:7:5: actors[0].type: must be Partner or Application',
    ]);
  });

  it('says in one sentence what is wrong with the database address', async () => {
    const file = await platformFile(platform);
    const elsewhere = 'postgresql://someone:hidden-value@127.0.0.1:1/waybill';
    expect(await waybillIn({ DATABASE_URL: elsewhere }, 'plan', file)).toMatchObject({
      code: 1,
      err: 'waybill plan: the database at DATABASE_URL cannot be reached (ECONNREFUSED)',
    });
    expect((await waybillIn({}, 'plan', file)).err).toContain('log in with `waybill login`');
    expect(await waybillIn({}, 'keys', 'acme')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/DATABASE_URL is not set.* use `waybill users keys acme`$/u),
    });
    const nowhere = new URL(database.url);
    nowhere.pathname = '/no_such_database';
    expect((await waybillIn({ DATABASE_URL: nowhere.toString() }, 'migrate')).err).toBe(
      'waybill migrate: the database that DATABASE_URL names does not exist',
    );
  });

  it.each([
    [['frobnicate'], "waybill: unknown command 'frobnicate'", '`waybill help` explains the commands.'],
    [['toString'], "waybill: unknown command 'toString'", '`waybill help` explains the commands.'],
    [
      ['apply'],
      "waybill apply: missing required argument 'file'",
      '`waybill help apply` explains the arguments and options.',
    ],
    [
      ['migrate', 'now'],
      "waybill migrate: too many arguments for 'migrate'. Expected 0 arguments but got 1.",
      '`waybill help migrate` explains the arguments and options.',
    ],
    [
      ['apply', '--force', 'x.yaml'],
      "waybill apply: unknown option '--force'",
      '`waybill help apply` explains the arguments and options.',
    ],
  ])('ends with exit code 2 when it is called as %j', async (args, sentence, help) => {
    expect(await waybill(...args)).toEqual({ code: 2, out: '', err: `${sentence}\n  ${help}` });
  });

  it.each([[[]], [['help']], [['--help']], [['apply', '--help']]])('helps when it is called as %j', async (args) => {
    const { code, out } = await waybill(...args);
    expect(code).toBe(0);
    expect(out).toContain('apply <file>');
  });

  it('shows the keys of a user, when they end, and that none was used yet', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM3v6tO4XoLzVTsj6nUySGO7NcbHvQ0bFbQnkR0tZm0z';
    const old = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOzXIpD5gi4w/Cc1uumIzIMc7Pbm91CvwUnzmQVfo1vY';
    const later = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE+RaXgOQFCBqWdsfoBrGd1qe5MQI5bcZVkRKi5GSkgR';
    const keys = `['${key} office', { key: ${old}, expires: 2020-01-01 }, { key: ${later}, expires: "2999-12-31T22:30:00Z" }]`;
    const users = `[{ name: keyed, publicKeys: ${keys} }, { name: bare }]`;
    const file = await platformFile(platform.replace('type: Partner', `type: Partner\n    users: ${users}`));
    await waybill('migrate');
    expect((await waybill('apply', file)).code).toBe(0);
    expect((await waybill('keys', 'keyed')).out.split('\n')).toEqual([
      'ssh-ed25519  SHA256:tjO2wi0ddPfSmYDbgO9w61Joh6oZQ80KkKcg1UbapIM  office  never used',
      'ssh-ed25519  SHA256:qFx6M7nAr7UXin9V1PRP9tCxATCn9M+HsOYOCro56LU  (no comment)  expired at the end of 2020-01-01  never used',
      'ssh-ed25519  SHA256:IIBvg2GX7pW4bptG5aGs0VoOvIA+H0021K+9+DbW+Qg  (no comment)  expires 2999-12-31T22:30:00.000Z  never used',
    ]);
    expect((await waybill('keys', 'bare')).out).toBe('bare has no keys.');
    expect(await waybill('keys', 'nobody')).toEqual({
      code: 1,
      out: '',
      err: "waybill keys: There is no partner user 'nobody'",
    });
  });
});
