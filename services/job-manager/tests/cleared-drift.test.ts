import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { oneConfiguredManager, team, variables } from './configuration-requests.ts';

const { site } = oneConfiguredManager();
let folder: TestFolder;

beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder?.remove());

async function run(command: string, ...args: readonly string[]) {
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${site.manager.admin}\n`);
  return await runWaybill([...command.split(' '), ...args, '--url', site.manager.url, '--token', token], variables);
}

async function written(document: object): Promise<string> {
  const file = path.join(folder.path, 'team.yaml');
  await writeFile(file, stringify(document));
  return file;
}

const nothing = 'Nothing to change: the configuration is already applied.\n';
const drifts = async () => (await run('drift', '--exit-code')).code;
beforeEach(async () => {
  await run('apply', await written(team()));
});

it('ends the drift of a released object that the file no longer has', async () => {
  expect((await run('release users tom --source team')).code).toBe(0);
  expect(await drifts()).toBe(2);
  const file = await written(team({ users: [] }));
  const planned = await run('plan', file, '--exit-code');
  expect(planned).toMatchObject({ code: 0, out: expect.stringContaining(nothing) });
  expect(planned.out).toMatch(/^Plan [0-9a-f-]{36}: it can be applied until /mu);
  expect(await drifts()).toBe(2);
  expect(await run('apply', file)).toMatchObject({
    code: 0,
    out: `${nothing}Applied: 0 created, 0 modified, 0 deleted.\n`,
  });
  expect(await drifts()).toBe(0);
  expect((await run('objects delete users tom')).code).toBe(0);
});

it('ends the drift of a forced change that the file has taken over', async () => {
  expect((await run('force users tom --reason x --patch', '{"groups":["others"]}')).code).toBe(0);
  expect(await drifts()).toBe(2);
  const users = [{ name: 'tom', password: '${TOM_PASSWORD}', groups: ['others'] }];
  expect((await run('apply', await written(team({ users })))).out).toContain(nothing);
  expect(await drifts()).toBe(0);
});

it('creates folders that are missing, though nothing changes', async () => {
  await site.platform.database.query(`DELETE FROM filebox.entries WHERE name = 'new'`);
  const again = await run('apply', await written(team()));
  expect(again.out).toBe(`${nothing}+ folder umbrella-files:/outbox/new\nApplied: 0 created, 0 modified, 0 deleted.\n`);
});

it('is not left behind by an adoption into a source that does not exist, or by one that is taken back', async () => {
  const bearer = site.manager.admin;
  const json = { name: 'outside', actor: 'umbrella' };
  const created = await site.manager.client.post('/platform-application/api/v1/users', { json, bearer });
  expect(created.status).toBe(201);
  const refused = await run('adopt users outside --source teem');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(
      'There is no configuration source teem; did you mean team? Apply its file first: `source` alone is enough',
    ),
  ]);
  expect((await run('drift --source teem')).code).toBe(1);
  const vfs = {
    name: 'outside-files',
    actor: 'umbrella',
    acl: [{ path: '/', grants: [{ user: 'outside', permissions: ['list'] }] }],
  };
  const system = await site.manager.client.post('/platform-application/api/v1/virtual-file-systems', {
    json: vfs,
    bearer,
  });
  expect(system.status).toBe(201);
  expect((await run('adopt users outside --source team')).code).toBe(0);
  expect(await drifts()).toBe(2);
  const removing = await run('plan', await written(team()));
  expect([removing.code, removing.err]).toEqual([
    1,
    expect.stringContaining(
      '\n  VFS outside-files of the API: actor umbrella has no user outside; the file leaves out External User outside, ' +
        'which its source owns, and so removes it\n',
    ),
  ]);
  expect((await run('release users outside --source team')).code).toBe(0);
  expect(await drifts()).toBe(0);
  const inFile = await run('plan', await written(team({ virtualFileSystems: [{ name: 'outside-files' }] })));
  expect(inFile.err).toContain(
    '`waybill adopt virtual-file-systems outside-files --source team`\n  Correct what is listed above.',
  );
  const forced = await run('force users outside --reason x --patch', '{"enabled":false}');
  expect(forced.err).toBe(
    'waybill force: External User outside belongs to the API: change it without force\n' +
      '  As is said above: change it where it belongs, unless it is built in.\n',
  );
  expect((await run('objects delete virtual-file-systems outside-files')).code).toBe(0);
  expect((await run('objects delete users outside')).code).toBe(0);
});
