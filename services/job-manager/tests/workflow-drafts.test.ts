import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { watchEventLoop } from '@waybill/test-kit/processes/watch-event-loop';
import { beforeAll, describe, expect, it } from 'vitest';
import { dryRunConfiguration, password } from './dry-run-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const site = oneJobManager();
const { path, responses } = dryRunWorkflowEndpoint;

const ask = (json: object, bearer = site.manager.admin) =>
  site.manager.client.post(path, { json, bearer, timeoutMs: 60_000 });

async function run(question: object, bearer?: string) {
  const response = await ask(question, bearer);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return responses[200].body.schema.parse(response.json());
}

interface Refusal {
  code: string;
  detail: string;
  errors?: { field: string; message: string; line?: number; column?: number }[];
}

async function refusal(question: object, bearer?: string): Promise<[number, string, ...string[]]> {
  const response = await ask(question, bearer);
  const { code, errors = [] } = response.json() as Refusal;
  return [
    response.status,
    code,
    ...errors.map(({ field, line, column }) => `${line ?? '-'}:${column ?? '-'} ${field}`),
  ];
}

const logIn = async (username: string): Promise<string> => {
  const login = { json: { username, password } };
  const response = await site.manager.client.post('/platform-application/api/v1/auth/login', login);
  return (response.json() as { accessToken: string }).accessToken;
};

const traces = () =>
  site.platform.database.query(`SELECT (SELECT count(*) FROM jobs.jobs)::int AS jobs,
    (SELECT count(*) FROM outbox.events)::int AS events, (SELECT count(*) FROM directory.workflow_templates)::int AS templates,
    (SELECT count(*) FROM directory.workflow_revisions)::int AS revisions`);

const draft = `name: draft
inputs:
  limit: { type: integer, default: 10 }
steps:
  - name: big
    uses: log
    if: file.size > inputs.limit
    with: { message: "\${{ file.name }} is big" }
  - name: inner
    workflow: note-twice
    with: { text: "\${{ file.stem }}" }
outputs:
  said: { value: "\${{ steps.inner.outputs.said }}" }
`;
const log = (message: string) => ({ name: 'say', uses: 'log', with: { message } });
const inner = {
  name: 'note-twice',
  inputs: { text: {}, password: { default: 'canary-of-the-inner' } },
  steps: [log('${{ inputs.text }}'), { name: 'again', workflow: 'note-once', with: { text: '${{ inputs.text }}!' } }],
  outputs: { said: { value: '${{ steps.again.outputs.said }}' } },
};
const innermost = {
  name: 'note-once',
  inputs: { text: {} },
  steps: [log('${{ inputs.text }}')],
  finally: [{ ...log('end'), name: 'last' }],
  outputs: { said: { value: '${{ steps.say.outputs.message }}' } },
};

beforeAll(async () => {
  const { workflowTemplates } = dryRunConfiguration;
  await site.platform.apply({ ...dryRunConfiguration, workflowTemplates: [...workflowTemplates, inner, innermost] });
});

describe('a dry run of a template that is not stored', () => {
  it('runs with the stored workflows that it runs, and stores nothing', async () => {
    const before = await traces();
    const answer = await run({ template: draft, path: '/inbox/march.csv', size: 11 });
    expect(answer).toMatchObject({ workflow: 'draft', revision: null, status: 'COMPLETED', message: '' });
    expect(answer.outputs).toEqual({ said: 'march!' });
    expect(answer.steps.map(({ name, section, status }) => `${name} ${section} ${status}`)).toEqual([
      'big steps COMPLETED',
      'inner steps COMPLETED',
      'inner/say steps COMPLETED',
      'inner/again steps COMPLETED',
      'inner/again/say steps COMPLETED',
      'inner/again/last finally COMPLETED',
    ]);
    const small = await run({ template: draft, path: '/inbox/march.csv', size: 10 });
    expect(small.steps[0]?.status).toBe('SKIPPED');
    const asJson = JSON.stringify({ name: 'json', steps: [log('${{ variables.text }}')] });
    const given = await run({ template: asJson, variables: { text: 'given' } });
    expect(given.steps[0]?.outputs).toEqual({ message: 'given' });
    expect(await traces()).toEqual(before);
  });

  it('runs with the variables of an action, and shows no secret of it, of the text and of what it runs', async () => {
    const secretive = `name: draft
steps:
  - { name: one, uses: write-file, with: { path: /a, text: "\${{ variables.apiToken }} \${{ variables.apiToken.substring(0, 4) }}" } }
  - { name: two, uses: webhook, with: { connection: hooks, event: e, data: { password: canary-of-the-text } } }
  - { name: inner, workflow: note-twice, with: { text: x } }
`;
    const response = await ask({ contract: 'dry', action: 'secretive', template: secretive });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(response.text).not.toContain('canary');
    const answer = responses[200].body.schema.parse(response.json());
    expect(answer).toMatchObject({ workflow: 'draft', contract: 'dry', action: 'secretive', status: 'COMPLETED' });
  });

  it.each([
    ['text that is no YAML', 'steps: [', ['configuration_invalid']],
    ['another value', '[]', ['configuration_invalid', '-:- ']],
    ['an unknown setting', `${draft}more: 1\n`, ['configuration_invalid', '14:1 more']],
    ['an unknown task', draft.replace('uses: log', 'uses: lgo'), ['configuration_invalid', '6:5 steps[0].uses']],
    [
      'a wrong expression',
      draft.replace('file.stem', 'file.steam'),
      ['configuration_invalid', expect.stringMatching(/^11:\d+ steps\[1\]\.with\.text$/u)],
    ],
    [
      'a workflow that does not exist',
      draft.replace('note-twice', 'note-thrice'),
      ['configuration_invalid', '10:5 steps[1].workflow'],
    ],
    [
      'a workflow that runs itself',
      draft.replace('name: draft', 'name: note-once'),
      ['configuration_invalid', '10:5 steps[1].workflow'],
    ],
    [
      'two steps of a name',
      draft.replace('name: inner', 'name: big').replace(/^outputs:[^]*$/mu, ''),
      ['configuration_invalid', '9:5 steps[1].name'],
    ],
    [
      'a wrong default',
      draft.replace('default: 10', 'default: ten'),
      ['configuration_invalid', '3:27 inputs.limit.default'],
    ],
  ])('is refused for %s, with its line and column', async (_, template, expected) => {
    expect((await refusal({ template, path: '/a.csv' })).slice(1)).toEqual(expected);
  });

  it('is refused for other wrong requests, and shows nothing of a text that cannot be read', async () => {
    expect(await refusal({ template: draft, workflow: 'route' })).toEqual([400, 'validation_failed', '-:- template']);
    expect((await refusal({ template: draft, contract: 'dry' }))[1]).toBe('validation_failed');
    expect((await refusal({ template: '' }))[1]).toBe('validation_failed');
    expect((await refusal({ template: `name: a\n#${'x'.repeat(200_001)}` }))[1]).toBe('validation_failed');
    expect((await refusal({ template: draft, path: '/a.csv', steps: { pakc: {} } }))[1]).toBe('validation_failed');
    expect((await refusal({ template: draft, contract: 'dry', action: 'secretive' })).slice(0, 2)).toEqual([
      400,
      'configuration_invalid',
    ]);
    for (const damaged of ['password: canary-1\n  - x: [', 'a: &a [*a]', '['.repeat(100_000), '%', '\u0000']) {
      const response = await ask({ template: damaged });
      expect([response.status, damaged]).toEqual([400, damaged]);
      expect(response.text).not.toContain('canary');
    }
  });

  it('is refused to callers without the permission, and to those who are limited to actors', async () => {
    const [gina, carl] = [await logIn('gina'), await logIn('carl')];
    const question = { template: draft, path: '/a.csv' };
    expect(await refusal(question, '')).toEqual([401, 'not_authenticated']);
    expect(await refusal(question, site.manager.viewer)).toEqual([403, 'not_permitted']);
    expect(await refusal(question, gina)).toEqual([403, 'not_permitted']);
    const own = { template: draft, contract: 'globex-dry', action: 'route', path: '/inbox/a.csv' };
    expect(await refusal(own, gina)).toEqual([403, 'not_permitted']);
    expect((await run(question, carl)).workflow).toBe('draft');
    const stored = { ...question, virtualFileSystem: 'acme-files' };
    expect(await refusal(stored, carl)).toEqual([403, 'not_permitted']);
  });
});

it('`waybill workflow run --dry-run --file` asks a platform what a template would do', async () => {
  await using folder = await createTestFolder();
  const [file, wrong] = [join(folder.path, 'draft.yaml'), join(folder.path, 'wrong.yaml')];
  await writeFile(file, draft);
  await writeFile(wrong, draft.replace('uses: log', 'uses: lgo'));
  await using access = await platformAccess(site.manager);
  const waybill = (...args: readonly string[]) => runWaybill('workflow', 'run', ...args, ...access.options);
  const [shown, refused, missing, nothing, withDocument] = await Promise.all([
    waybill('--dry-run', '--file', file, '--path', '/inbox/march.csv'),
    waybill('--dry-run', '--file', wrong),
    waybill('--dry-run', '--file', join(folder.path, 'none.yaml')),
    waybill('--dry-run'),
    waybill('platform.yaml', 'dry/route', '--dry-run', '--file', file),
  ]);
  expect(shown).toEqual({ code: 0, out: expect.stringContaining('inner/again/say') });
  expect(refused).toEqual({ code: 1, out: expect.stringContaining('wrong.yaml:6:5: steps[0].uses') });
  expect(missing).toEqual({ code: 2, out: expect.stringContaining('cannot be read') });
  expect(nothing).toEqual({ code: 2, out: expect.stringContaining('name the action, or give --file') });
  expect(withDocument).toEqual({ code: 2, out: expect.stringContaining('leave out the file') });
});

it('costs the thread that answers requests nothing, however hostile the text is', async () => {
  const anchors = Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}, *a${n - 1}`}]`);
  const loops = JSON.stringify({
    name: 'loops',
    steps: [
      {
        ...log('${{ variables.names.map(a, variables.names.map(b, a == b)).size() }}'),
        foreach: { in: 'variables.names', continueOnError: true },
      },
    ],
  });
  const names = Array.from({ length: 9_000 }, (_, index) => `n${index}`);
  await run({ template: draft, path: '/a.csv' });
  const watch = watchEventLoop();
  const answers = await Promise.all([
    refusal({ template: anchors.join('\n') }),
    refusal({ template: `name: ${'{a: '.repeat(40_000)}` }),
    refusal({ template: loops, variables: { names } }),
  ]);
  expect(answers.map(([status]) => status)).toEqual([400, 400, 400]);
  expect(watch.longestMs()).toBeLessThan(200);
});
