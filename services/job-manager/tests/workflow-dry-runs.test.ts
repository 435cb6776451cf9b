import { setTimeout } from 'node:timers/promises';
import { type DryRunView, dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { watchEventLoop } from '@waybill/test-kit/processes/watch-event-loop';
import { beforeAll, describe, expect, it } from 'vitest';
import { dryRunConfiguration, password } from './dry-run-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const site = oneJobManager();
const api = '/platform-application/api/v1';

const ask = (json: unknown, bearer = site.manager.admin) =>
  site.manager.client.post(`${api}/workflows/dry-run`, { json, bearer, timeoutMs: 30_000 });

const { schema } = dryRunWorkflowEndpoint.responses[200].body;

async function run(question: object, bearer?: string): Promise<DryRunView> {
  const response = await ask(question, bearer);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return schema.parse(response.json());
}

async function refusal(question: unknown, bearer?: string) {
  const response = await ask(question, bearer);
  const { code, errors = [] } = response.json() as { code?: string; errors?: { field: string }[] };
  return [response.status, code, ...errors.map(({ field }) => field)];
}

async function logIn(username: string): Promise<string> {
  const response = await site.manager.client.post(`${api}/auth/login`, { json: { username, password } });
  return (response.json() as { accessToken: string }).accessToken;
}

/** How many rows there are of everything that a job would leave. */
const traces = () =>
  site.platform.database.query(`SELECT (SELECT count(*) FROM jobs.jobs)::int AS jobs,
    (SELECT count(*) FROM outbox.events)::int AS events, (SELECT count(*) FROM filebox.entries)::int AS entries,
    (SELECT count(*) FROM directory.workflow_revisions)::int AS revisions`);

beforeAll(async () => {
  await site.platform.deliver('/outbox/march.csv', Buffer.alloc(2_048));
  await site.platform.deliver('/outbox/small.csv', Buffer.alloc(20));
  await site.platform.apply(dryRunConfiguration);
});

const march = { contract: 'dry', action: 'route', virtualFileSystem: 'acme-files', path: '/outbox/march.csv' };

describe('a dry run', () => {
  it('evaluates each step for a stored file with the variables of the action, and changes nothing', async () => {
    const before = await traces();
    const answer = await run({ ...march, steps: { pack: { outputs: { size: '77' } } } });
    const fileset = answer.file?.fileset;
    expect(fileset).toMatch(/^\d+$/u);
    expect(answer).toMatchObject({
      workflow: 'route',
      revision: 1,
      contract: 'dry',
      action: 'route',
      // It is not in the folder of the trigger.
      file: { virtualFileSystem: 'acme-files', path: '/outbox/march.csv', size: '2048', startsAction: false },
      status: 'COMPLETED',
      message: '',
      steps: [
        {
          name: 'pack',
          task: 'gzip',
          does: expect.stringContaining('gzip'),
          status: 'COMPLETED',
          condition: 'file.size > inputs.limit',
          with: { source: '/outbox/march.csv', target: '/outbox/march.gz' },
          outputs: { size: '77', path: '/outbox/march.gz' },
          outputsFrom: 'given',
        },
        { name: 'note', outputs: { message: `march.csv of ${fileset} dry` }, outputsFrom: 'task' },
        { name: 'tell', with: { data: { size: 77 } }, outputsFrom: 'placeholder' },
        { name: 'alert', section: 'onError', status: 'WAITING', outputs: {} },
      ],
    });
    expect(await traces()).toEqual(before);
  });

  it('takes the branches of another file, of given inputs and of given failures', async () => {
    const statuses = async (different: object) =>
      (await run({ ...march, ...different })).steps.map(({ name, status }) => `${name} ${status}`);
    const small = { path: '/outbox/small.csv' };
    // What follows reads an output of a step that was skipped.
    const skipped = ['pack SKIPPED', 'note COMPLETED', 'tell FAILED', 'alert COMPLETED'];
    expect(await statuses(small)).toEqual(skipped);
    expect((await statuses({ ...small, variables: { limit: 5 } }))[0]).toBe('pack COMPLETED');
    const failing = await run({ ...march, steps: { pack: { error: 'no space' } } });
    expect([failing.status, failing.message, failing.steps[3]?.with?.['text']]).toEqual([
      'ERROR',
      'no space',
      'no space',
    ]);
  });

  it('takes an imagined file, also for a workflow without an action, and says which file starts an action', async () => {
    const { file, contract, steps } = await run({ workflow: 'route', path: '/x/y.csv', size: 11 });
    expect([file, contract, steps[0]?.status]).toEqual([
      { virtualFileSystem: null, path: '/x/y.csv', size: '11', fileset: null },
      undefined,
      'COMPLETED',
    ]);
    await site.platform.deliver('/inbox/in.csv', Buffer.from('a'));
    expect((await run({ ...march, path: '/inbox/in.csv' })).file?.startsAction).toBe(true);
    const now = '2026-03-02T09:00:00Z';
    const missed = await run({ contract: 'dry', action: 'missed', now, variables: { text: 'x' } });
    expect([missed.status, missed.file]).toEqual(['COMPLETED', null]);
  });

  it('shows no secrets: neither whole ones nor parts, neither variables nor parameters, nor in messages', async () => {
    const response = await ask({ contract: 'dry', action: 'secretive' });
    expect(response.status).toBe(200);
    expect(response.text).not.toContain('canary');
    expect(response.text).not.toContain('4711');
    const { steps, message } = schema.parse(response.json());
    expect(
      steps.map(({ with: parameters }) => parameters?.['text'] ?? parameters?.['message'] ?? parameters?.['data']),
    ).toEqual([
      'Bearer ****** 0',
      expect.stringMatching(/^\*+$/u),
      '1',
      { password: '******', other: '******' },
      'no: ******',
    ]);
    expect(message).toBe('no: ******');
  });
});

describe('a dry run is refused', () => {
  it('to callers without the permission, and for what belongs to actors that they do not reach', async () => {
    const [gina, carl] = [await logIn('gina'), await logIn('carl')];
    expect(await refusal(march, '')).toEqual([401, 'not_authenticated']);
    expect(await refusal(march, site.manager.viewer)).toEqual([403, 'not_permitted']);
    expect(await refusal(march, gina)).toEqual(await refusal({ ...march, contract: 'nowhere' }, gina));
    expect(await refusal({ workflow: 'route', path: '/a' }, gina)).toEqual([403, 'not_permitted']);
    const own = { contract: 'globex-dry', action: 'route', path: '/inbox/a.csv' };
    expect((await run({ ...own, size: 1 }, gina)).status).toBe('ERROR');
    expect(await refusal({ ...own, virtualFileSystem: 'acme-files' }, gina)).toEqual(
      await refusal({ ...own, virtualFileSystem: 'no-files' }, gina),
    );
    expect(await refusal({ ...own, virtualFileSystem: 'globex-files' }, gina)).toEqual([404, 'file_not_found']);
    expect(await refusal(march, carl)).toEqual([403, 'not_permitted']);
    expect((await run({ workflow: 'route', path: '/a.csv' }, carl)).workflow).toBe('route');
  });

  it.each([
    ['a missing file', { path: '/outbox/april.csv' }, [404, 'file_not_found']],
    ['a missing folder', { path: '/no/april.csv' }, [404, 'file_not_found']],
    ['a folder', { path: '/outbox' }, [400, 'not_a_file']],
    ['the root', { path: '/' }, [400, 'not_a_file']],
    ['an unknown virtual file system', { virtualFileSystem: 'no' }, [404, 'entity_unknown']],
    ['an unknown contract', { contract: '__proto__' }, [400, 'contract_unknown', 'contract']],
    ['an unknown action', { action: 'constructor' }, [400, 'action_unknown', 'action']],
    [
      'no file for an action that files start',
      { virtualFileSystem: undefined, path: undefined },
      [400, 'validation_failed', 'path'],
    ],
    ['a file for an action that no file starts', { action: 'loops' }, [400, 'validation_failed', 'path']],
    ['a wrong input', { variables: { limit: 'x' } }, [400, 'validation_failed', 'variables.limit']],
    ['an unknown step', { steps: { pakc: {} } }, [400, 'validation_failed', 'steps.pakc']],
    ['a step named constructor', { steps: { constructor: {} } }, [400, 'validation_failed', 'steps.constructor']],
    ['the size of a stored file', { size: 7 }, [400, 'validation_failed', 'size']],
    ['a workflow and a contract', { workflow: 'route' }, [400, 'validation_failed', 'contract', 'action']],
    ['a path upwards', { path: '/outbox/../x' }, [400, 'validation_failed', 'path']],
    ['a relative path', { path: 'outbox' }, [400, 'validation_failed', 'path']],
    ['NUL in a path', { path: '/a\0b' }, [400, 'validation_failed', 'path']],
    ['NUL in a variable', { variables: { a: 'b\0' } }, [400, 'validation_failed', 'variables']],
    ['a list of variables', { variables: [] }, [400, 'validation_failed', 'variables']],
    ['another field', { more: true }, [400, 'validation_failed', 'more']],
    ['no time', { now: 'yesterday' }, [400, 'validation_failed', 'now']],
  ])('for %s', async (_, different, expected) => {
    expect(await refusal({ ...march, ...different })).toEqual(expected);
  });

  it('for an unknown workflow, and for bodies that are nothing of the kind', async () => {
    expect(await refusal({ workflow: '__proto__' })).toEqual([404, 'entity_unknown']);
    for (const wrong of [[], {}, null, 'x', { workflow: '' }, { workflow: 7 }, { workflow: 'x'.repeat(200) }]) {
      expect((await ask(wrong)).status).toBe(400);
    }
  });

  it('if it costs too much time, while the thread that answers requests has nothing to do with it', async () => {
    const names = Array.from({ length: 9_000 }, (_, index) => `n${index}`);
    const hostile = { contract: 'dry', action: 'loops', variables: { names, text: '' } };
    await run({ workflow: 'route', path: '/a.csv' });
    const watch = watchEventLoop();
    const refused = Promise.all([refusal(hostile), refusal(hostile), refusal(hostile)]);
    const others: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      others.push((await site.manager.client.get('/health/ready')).status);
      await setTimeout(25);
    }
    expect(await refused).toEqual(Array.from({ length: 3 }, () => [400, 'validation_failed']));
    expect(new Set(others)).toEqual(new Set([200]));
    expect(watch.longestMs()).toBeLessThan(100);
  });

  it('if it costs too much time or shows too much, and the service answers others soon after', async () => {
    const names = Array.from({ length: 9_000 }, (_, index) => `n${index}`);
    const begin = performance.now();
    expect(await refusal({ contract: 'dry', action: 'loops', variables: { names, text: '' } })).toEqual([
      400,
      'validation_failed',
    ]);
    expect(performance.now() - begin).toBeLessThan(10_000);
    const few = names.slice(0, 60);
    const large = { contract: 'dry', action: 'loops', variables: { names: few, text: 'x'.repeat(500_000) } };
    expect(await refusal(large)).toEqual([400, 'validation_failed']);
    expect((await run({ ...large, variables: { names: few, text: 'x' } })).steps[0]?.items).toHaveLength(60);
  });
});

it('`waybill workflow run --dry-run` asks a platform if it is given no file', async () => {
  await using access = await platformAccess(site.manager);
  const waybill = (...args: readonly string[]) => runWaybill('workflow', 'run', ...args, ...access.options);
  const file = ['--vfs', 'acme-files', '--path', '/outbox/march.csv'];
  const [shown, json, missing, both, without] = await Promise.all([
    waybill('dry/route', '--dry-run', ...file),
    waybill('dry/route', '--dry-run', '--json', ...file),
    waybill('route', '--dry-run', '--vfs', 'acme-files', '--path', '/outbox/none'),
    waybill('platform.yaml', 'dry/route', '--dry-run', ...file),
    waybill('dry/route', ...file),
  ]);
  expect(shown.code).toBe(0);
  expect(shown.out.split('\n').slice(0, 4)).toEqual([
    '/outbox/march.csv does not start the action: its trigger is for other files',
    '+ pack (gzip) runs',
    '    source: "/outbox/march.csv"',
    '    target: "/outbox/march.gz"',
  ]);
  expect(schema.parse(JSON.parse(json.out)).status).toBe('COMPLETED');
  expect(missing).toEqual({ code: 1, out: expect.stringContaining('There is no file acme-files:/outbox/none') });
  expect(both).toEqual({ code: 2, out: expect.stringContaining('leave out the file') });
  expect(without).toEqual({ code: 2, out: expect.stringContaining('give --dry-run') });
});
