import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { oneConfiguredManager, team, variables } from './configuration-requests.ts';

const { site } = oneConfiguredManager();
const planLine = /^Plan ([0-9a-f-]{36}): it can be applied until /mu;

let folder: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

async function run(command: string, ...args: readonly string[]) {
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${site.manager.admin}\n`);
  const given = [...command.split(' '), ...args, '--url', site.manager.url, '--token', token];
  return await runWaybill(given, variables);
}

async function written(document: object): Promise<string> {
  const file = path.join(folder.path, 'team.yaml');
  await writeFile(file, stringify(document));
  return file;
}

describe('waybill, with a platform', () => {
  it('plans with exit codes for CI, and applies the plan by its id', async () => {
    const file = await written(team());
    const planned = await run('plan', file, '--exit-code');
    expect([planned.code, planned.err]).toEqual([2, `Target: ${site.manager.url}\n`]);
    expect(planned.out).toMatch(/^\+ Actor umbrella\n\+ External User tom\n\+ VFS umbrella-files\n/u);
    const id = planLine.exec(planned.out)?.[1] ?? '';
    const applied = await run('apply', id);
    expect([applied.code, applied.out]).toEqual([
      0,
      expect.stringMatching(/Applied: 3 created, 0 modified, 0 deleted\.\n$/u),
    ]);
    expect((await run('apply', id)).out).toBe('This plan was applied before: nothing is changed.\n');
    expect(await run('plan', file, '--exit-code')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing to change/u),
    });
  });

  it('applies a file, and shows what changes', async () => {
    expect((await run('apply', await written(team()))).code).toBe(0);
    const changed = await run('apply', await written(team({}, { limits: { files: 5 } })));
    expect(changed.out).toContain('~ VFS umbrella-files\n    limits: nothing -> { files: 5 }\n');
    const refused = await run('apply', await written({ source: 'team' }), '--without-removals');
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('- VFS umbrella-files')]);
  });

  it('reports errors with the lines of the file, and with exit code 1 for CI', async () => {
    const file = await written({ ...team(), queues: [{ name: 'a', priority: 99 }] });
    const planned = await run('plan', file, '--exit-code');
    expect([planned.code, planned.out]).toEqual([1, '']);
    expect(planned.err).toMatch(
      /^Target: .*\nwaybill plan: 1 error:\n {2}team\.yaml:\d+:\d+: queues\[0\]\.priority: /u,
    );
    expect((await run('plan', file, '--exit-code', '--nonsense')).code).toBe(1);
    expect((await run('plan', path.join(folder.path, 'none.yaml'), '--exit-code')).code).toBe(1);
  });

  it('exports a file that changes nothing, and validates it', async () => {
    await run('apply', await written(team()));
    const exported = await run('export', '--source', 'team');
    expect([exported.code, exported.err]).toEqual([0, `Target: ${site.manager.url}\n`]);
    const file = path.join(folder.path, 'exported.yaml');
    await writeFile(file, exported.out);
    expect((await run('plan', file, '--exit-code')).code).toBe(0);
    expect(await run('validate', file)).toMatchObject({ code: 0, out: 'The configuration is valid.\n' });
    expect(JSON.parse((await run('validate', file, '--json')).out)).toEqual({ valid: true, needed: [] });
    await writeFile(file, exported.out.replace('type: Partner', 'type: Friend'));
    expect(await run('validate', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exported\.yaml:\d+:\d+: actors\[0\]\.type/u),
    });
    expect((await run('export', '--source', 'team', '--format', 'json')).out).toMatch(/^\{/u);
    for (const command of [['export'], ['drift'], ['drift', '--exit-code']] as const) {
      const unknown = await run(command[0], ...command.slice(1), '--source', 'teams');
      expect([unknown.code, unknown.out]).toEqual([1, '']);
      expect(unknown.err).toContain('There is no configuration source teams; did you mean team?');
    }
    expect((await run('export', '--format', 'xml')).code).toBe(2);
  });

  it('forces a change, shows it as drift, and passes objects on', async () => {
    await run('apply', await written(team()));
    expect(await run('drift', '--source', 'team', '--exit-code')).toMatchObject({ code: 0, out: 'Nothing differs.\n' });
    const version = (await run('objects show', 'users', 'tom', '--version')).out.trim();
    const change = ['users', 'tom', '--patch', '{"enabled":false}', '--reason', 'stolen', '--if-match'] as const;
    expect(await run('force', ...change, 'another')).toMatchObject({
      code: 1,
      err: expect.stringContaining('version'),
    });
    const forced = await run('force', ...change, version);
    expect([forced.code, forced.err]).toEqual([0, '']);
    expect((await run('force', ...change, version, '--dry-run')).code).toBe(1);
    const drifted = await run('drift', '--exit-code');
    expect([drifted.code, drifted.out]).toEqual([
      2,
      expect.stringMatching(
        /^! team: External User tom was forced by admin at .*: stolen\n {4}enabled: true -> false\n$/u,
      ),
    ]);
    const asJson = await run('drift', '--source', 'team', '--json');
    expect(JSON.parse(asJson.out)).toMatchObject({
      sources: [{ source: 'team', objects: [{ cause: 'forced', name: 'tom', differences: [{ setting: 'enabled' }] }] }],
    });
    const stale = await run('release', 'users', 'tom', '--source', 'team', '--if-match', 'AAAA');
    expect([stale.code, stale.err]).toEqual([1, expect.stringContaining('has another version')]);
    expect((await run('release', 'users', 'tom', '--source', 'team')).out).toBe('tom belongs to the API.\n');
    expect((await run('adopt', 'users', 'tom', '--source', 'team')).out).toBe('tom belongs to the source team.\n');
    expect((await run('adopt', 'users', 'tom', '--source', 'other')).code).toBe(1);
    expect((await run('force', 'users', 'tom', '--reason', 'x')).code).toBe(2);
    const user = { collection: 'users', name: 'tom' };
    const json = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await run(args[0] ?? '', 'users', 'tom', ...args.slice(1), '--json')).out);
    const forcing = ['force', '--reason', 'x', '--patch', '{"enabled":true}'] as const;
    expect(await json(...forcing, '--dry-run')).toMatchObject({ changes: [{ name: 'tom' }] });
    expect(await json(...forcing)).toEqual({ ...user, changed: true });
    expect(await json('release', '--source', 'team')).toEqual({ ...user, source: null });
    expect(await json('adopt', '--source', 'team')).toEqual({ ...user, source: 'team' });
  });

  it('creates, lists, shows, replaces, changes and deletes parts of objects', async () => {
    const bearer = site.manager.admin;
    const json = { name: 'edge', servers: [{ name: 'sftp', protocol: 'SFTP' }] };
    expect((await site.manager.client.post('/platform-application/api/v1/clusters', { json, bearer })).status).toBe(
      201,
    );
    const file = path.join(folder.path, 'server.yaml');
    await writeFile(file, 'name: http\nprotocol: HTTP\n');
    const onEdge = (command: string, ...args: readonly string[]) =>
      run(`objects ${command}`, 'servers', ...args, '--of', 'edge');
    expect((await onEdge('create', '--file', file, '--dry-run')).out).toContain('Cluster edge');
    expect((await onEdge('create', '--file', file)).out).toBe('http was created\n');
    expect((await onEdge('list')).out).toMatch(/^NAME.*\nhttp .*\nsftp .*\n$/u);
    expect((await onEdge('list', '--name', 's*', '--source', '')).out).toMatch(/^NAME.*\nsftp .*\n$/u);
    const shown = await onEdge('show', 'http', '--json');
    expect(JSON.parse(shown.out)).toEqual({ name: 'http', cluster: 'edge', protocol: 'HTTP', source: null });
    const version = (await onEdge('show', 'http', '--version')).out.trim();
    await writeFile(file, 'maxSessions: 5\n');
    const change = ['http', '--file', file, '--if-match', version] as const;
    expect((await onEdge('change', ...change, '--dry-run')).out).toContain('servers[http].maxSessions');
    expect((await onEdge('change', ...change)).out).toBe('http was changed\n');
    expect(await onEdge('change', ...change)).toMatchObject({ code: 1, out: '' });
    expect(await onEdge('delete', 'http', '--if-match', version)).toMatchObject({ code: 1, out: '' });
    // What was shown names the cluster.
    await writeFile(file, shown.out);
    expect((await run('objects replace', 'servers', 'http', '--file', file)).out).toBe('http was replaced\n');
    expect((await onEdge('show', 'http', '--json')).out).toBe(shown.out);
    expect((await onEdge('delete', 'http', '--dry-run')).out).toContain('Cluster edge');
    expect((await onEdge('delete', 'http')).out).toBe('http was deleted\n');
    expect(await onEdge('show', 'http')).toMatchObject({ code: 1, out: '' });
  });

  it('shows the tests and the revisions of a workflow, and what differs between two', async () => {
    const address = '/platform-application/api/v1/workflow-templates';
    const bearer = site.manager.admin;
    const step = { name: 'note', uses: 'write-file', with: { path: '/outbox/a', text: 'first' } };
    const tests = [{ name: 'writes', given: {}, expect: { steps: { note: { status: 'COMPLETED' } } } }];
    const { client } = site.manager;
    const json = { name: 'noted/down', steps: [step], tests };
    expect((await client.post(address, { json, bearer })).status).toBe(201);
    const item = `${address}/noted%2Fdown`;
    const patch = async (change: object) => (await client.request('PATCH', item, { json: change, bearer })).json();
    expect(await patch({ description: 'Notes' })).toMatchObject({ tests });
    expect(await patch({ tests: [] })).toMatchObject({ tests: [] });
    expect(await patch({ steps: [{ ...step, with: { ...step.with, text: 'second' } }] })).toMatchObject({ tests: [] });

    const page = (await client.get(`${item}/revisions?maxItems=2`, { bearer })).json() as {
      items: object[];
      next: string;
    };
    expect(page.items).toMatchObject([
      { revision: 3, current: true, appliedBy: 'admin' },
      { revision: 2, current: false },
    ]);
    expect((await client.get(page.next, { bearer })).json()).toEqual({
      items: [{ revision: 1, current: false, appliedBy: 'admin', appliedAt: expect.stringMatching(/Z$/u) }],
    });
    const first = (await client.get(`${item}/revisions/1`, { bearer })).json();
    expect(first).toMatchObject({ name: 'noted/down', revision: 1, document: { steps: [step] } });
    const statuses = ['4', '0', '99999999999', 'x', '-1', '1.5'].map(
      async (number) => (await client.get(`${item}/revisions/${number}`, { bearer })).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 400, 400, 400, 400, 400]);
    expect((await client.get(`${address}/other/revisions`, { bearer })).status).toBe(404);

    expect((await run('workflow revisions', 'noted/down')).out).toMatch(
      /^REVISION.*\n3 .* admin +current\n2 .*\n1 .*\n$/u,
    );
    const compared = await run('workflow revisions', 'noted/down', '3', '--since', '2');
    expect(compared).toMatchObject({ code: 0, out: 'steps[note].with.text: first -> second\n' });
    expect((await run('workflow revisions', 'noted/down', '--since', '2')).code).toBe(2);
    expect(JSON.parse((await run('workflow revisions', 'noted/down', '1', '--json')).out)).toEqual(first);
  });
});
