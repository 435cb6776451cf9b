import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { oneConfiguredManager, team, variables } from './configuration-requests.ts';

const { site } = oneConfiguredManager();
const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const planLine = /^Plan ([0-9a-f-]{36}): it can be applied until /mu;

let folder: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

async function run(command: string, ...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${site.manager.admin}\n`);
  const given = [waybill, ...command.split(' '), ...args, '--url', site.manager.url, '--token', token];
  return await new Promise((resolve) => {
    execFile(process.execPath, given, { env: spawnEnvironment(variables) }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
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
    expect([planned.code, planned.err]).toEqual([2, '']);
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
    expect(planned.err).toMatch(/^waybill plan: 1 error:\n {2}team\.yaml:\d+:\d+: queues\[0\]\.priority: /u);
    expect((await run('plan', file, '--exit-code', '--nonsense')).code).toBe(1);
    expect((await run('plan', path.join(folder.path, 'none.yaml'), '--exit-code')).code).toBe(1);
  });

  it('exports a file that changes nothing, and validates it', async () => {
    await run('apply', await written(team()));
    const exported = await run('export', '--source', 'team');
    expect([exported.code, exported.err]).toEqual([0, '']);
    const file = path.join(folder.path, 'exported.yaml');
    await writeFile(file, exported.out);
    expect((await run('plan', file, '--exit-code')).code).toBe(0);
    expect(await run('validate', file)).toMatchObject({ code: 0, out: 'The configuration is valid.\n' });
    await writeFile(file, exported.out.replace('type: Partner', 'type: Friend'));
    expect(await run('validate', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exported\.yaml:\d+:\d+: actors\[0\]\.type/u),
    });
    expect((await run('export', '--source', 'team', '--format', 'json')).out).toMatch(/^\{/u);
    expect((await run('export', '--source', 'nothing')).out).toBe('source: nothing\n');
    expect((await run('export', '--format', 'xml')).code).toBe(2);
  });

  it('forces a change, shows it as drift, and passes objects on', async () => {
    await run('apply', await written(team()));
    expect(await run('drift', '--source', 'team', '--exit-code')).toMatchObject({ code: 0, out: 'Nothing differs.\n' });
    const forced = await run('force', 'users', 'tom', '--patch', '{"enabled":false}', '--reason', 'stolen');
    expect([forced.code, forced.err]).toEqual([0, '']);
    const drifted = await run('drift', '--exit-code');
    expect([drifted.code, drifted.out]).toEqual([
      2,
      expect.stringMatching(
        /^! team: External User tom was forced by admin at .*: stolen\n {4}enabled: true -> false\n$/u,
      ),
    ]);
    expect((await run('release', 'users', 'tom', '--source', 'team')).out).toBe('tom belongs to the API.\n');
    expect((await run('adopt', 'users', 'tom', '--source', 'team')).out).toBe('tom belongs to the source team.\n');
    expect((await run('adopt', 'users', 'tom', '--source', 'other')).code).toBe(1);
    expect((await run('force', 'users', 'tom', '--reason', 'x')).code).toBe(2);
  });
});
