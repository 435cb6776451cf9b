import { workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { workflowTestSchema } from '@waybill/contracts/configuration/workflow-test';
import { describe, expect, it } from 'vitest';
import { runWorkflowTests } from '../checks/run-tests.ts';
import { dryRun } from './dry-run.ts';

const template = {
  name: 'w',
  inputs: { limit: { type: 'integer', default: 100 } },
  steps: [
    {
      name: 'pack',
      uses: 'gzip',
      if: 'file.size > inputs.limit',
      with: { source: '${{ file.path }}', target: '/o/${{ file.stem }}.gz' },
    },
    {
      name: 'sum',
      uses: 'checksum',
      if: "steps.pack.status == 'COMPLETED'",
      with: { source: '${{ steps.pack.outputs.path }}' },
    },
  ],
  onError: [
    { name: 'report', uses: 'write-file', with: { path: '/e', text: '${{ error.step }}: ${{ error.message }}' } },
  ],
  finally: [{ name: 'note', uses: 'write-file', with: { path: '/n', text: '${{ steps.sum.status }} at ${{ now }}' } }],
};

const run = (given: object) =>
  dryRun(workflowTemplateSchema.parse(template), workflowTestSchema.shape.given.parse(given));
const statuses = (given: object) => run(given).steps.map(({ name, status }) => `${name} ${status}`);

describe('a dry run', () => {
  it('evaluates the parameters of the steps that would run, with placeholders for unknown outputs', () => {
    const { status, steps } = run({ file: '/in/a.csv', size: 101, now: '2026-03-01T10:00:00+01:00' });
    expect(status).toBe('COMPLETED');
    expect(steps.map(({ with: parameters }) => parameters)).toEqual([
      { source: '/in/a.csv', target: '/o/a.gz' },
      { source: '/o/a.gz', algorithm: 'sha256' },
      undefined,
      { path: '/n', text: 'COMPLETED at 2026-03-01T09:00:00.000Z', mediaType: 'text/plain; charset=utf-8' },
    ]);
    expect(steps[1]?.outputs['checksum']).toBe('<checksum of sum>');
  });

  it('takes the branches that conditions, variables and given failures lead to', () => {
    expect(statuses({ file: '/in/a.csv', size: 50 })).toEqual([
      'pack SKIPPED',
      'sum SKIPPED',
      'report WAITING',
      'note COMPLETED',
    ]);
    expect(statuses({ file: '/in/a.csv', size: 50, variables: { limit: '7' } })[0]).toBe('pack COMPLETED');
    const failed = run({ file: '/in/a.csv', steps: { pack: { error: 'no space' } } });
    expect(failed).toMatchObject({ status: 'ERROR', message: 'no space' });
    expect(failed.steps.map(({ status }) => status)).toEqual(['FAILED', 'WAITING', 'COMPLETED', 'COMPLETED']);
    expect(failed.steps[2]?.with?.['text']).toBe('pack: no space');
  });

  it('ends in ERROR if an expression cannot be evaluated or a parameter is not valid', () => {
    expect(run({}).message).toContain('The expression "file.size > inputs.limit" cannot be evaluated');
    expect(run({ file: '/in/a', steps: { pack: { outputs: { path: '/../x' } } } }).message).toContain('source: ');
    expect(() => run({ variables: { limit: 'x' } })).toThrow('limit: must be an integer');
  });
});

describe('the tests of a workflow', () => {
  const faults = (...tests: object[]) =>
    runWorkflowTests(workflowTemplateSchema.parse({ ...template, tests })).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
  const given = { file: '/in/a.csv', size: 101 };

  it('pass', () => {
    const steps = { pack: { status: 'COMPLETED', with: { target: '/o/a.gz' } }, report: { status: 'WAITING' } };
    expect(faults({ name: 'a', given, expect: { steps } })).toEqual([]);
  });

  it('name everything that is not as expected, and no values', () => {
    const wrong = {
      status: 'ERROR',
      message: 'no space',
      steps: { pakc: {}, pack: { status: 'SKIPPED', with: { target: '/o/b.gz' } }, report: { with: { text: 'x' } } },
    };
    expect(
      faults({ name: 'a', given: { ...given, steps: { smu: {} } }, expect: wrong }, { name: 'a', given, expect: {} }),
    ).toEqual([
      'tests.0.given.steps.smu: there is no step smu; did you mean sum?',
      'tests.0.expect.steps.pakc: there is no step pakc; did you mean pack?',
      'tests.0.expect: the job ends with COMPLETED, not ERROR',
      'tests.0.expect.message: the message of the job is another one',
      'tests.0.expect.steps.pack.status: the step has the status COMPLETED, not SKIPPED',
      'tests.0.expect.steps.pack.with.target: the parameter has another value, which `waybill workflow run --dry-run` shows',
      'tests.0.expect.steps.report.with.text: there is no such parameter: the step has the status WAITING',
      'tests.1.name: the test a already exists',
    ]);
    expect(faults({ name: 'a', given: { ...given, variables: { limit: 'x' } }, expect: {} })).toEqual([
      'tests.0.given: limit: must be an integer',
    ]);
  });
});

describe('a dry run of a step with foreach', () => {
  const items = (foreach: unknown, text = '${{ index }}${{ item }}') => ({
    name: 'w',
    steps: [
      { name: 'each', uses: 'write-file', foreach, with: { path: '/o/${{ item }}', text } },
      {
        name: 'then',
        uses: 'write-file',
        with: { path: '/l', text: "${{ steps.each.items.map(i, i.status).join(' ') }}" },
      },
    ],
  });
  const runItems = (template: object, given: object = {}) =>
    dryRun(workflowTemplateSchema.parse(template), workflowTestSchema.shape.given.parse(given));

  it('evaluates the parameters for each item', () => {
    const { status, steps } = runItems(items("['a', 'b']"));
    expect(status).toBe('COMPLETED');
    expect(steps[0]?.items?.map((item) => [item.status, item.with?.['path'], item.with?.['text']])).toEqual([
      ['COMPLETED', '/o/a', '0a'],
      ['COMPLETED', '/o/b', '1b'],
    ]);
    expect(steps[1]?.with?.['text']).toBe('COMPLETED COMPLETED');
  });

  it('stops at the first failure, or goes on', () => {
    const given = { steps: { each: { items: [{}, { error: 'no room' }] } } };
    const stopped = runItems(items(['a', 'b', 'c']), given);
    expect([stopped.status, stopped.message, stopped.steps[0]?.items?.length]).toEqual(['ERROR', 'no room', 2]);
    const all = runItems(items({ in: ['a', 'b', 'c'], continueOnError: true }), given);
    expect(all.steps[0]?.items?.map(({ status }) => status)).toEqual(['COMPLETED', 'FAILED', 'COMPLETED']);
    expect(runItems(items('variables.names'), { variables: { names: 7 } }).message).toContain('is not a list');
  });

  it('is compared by tests, item by item', () => {
    const test = (expected: unknown[]) => ({
      ...items(['a', 'b']),
      tests: [{ name: 't', given: {}, expect: { steps: { each: { items: expected } } } }],
    });
    const faults = (template: object) =>
      runWorkflowTests(workflowTemplateSchema.parse(template)).map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
    expect(faults(test([{ status: 'COMPLETED', with: { path: '/o/a' } }, {}]))).toEqual([]);
    expect(faults(test([{}]))).toEqual(['tests.0.expect.steps.each.items: the step runs for 2 items, not 1']);
    expect(faults(test([{}, { status: 'FAILED', with: { path: '/o/a' } }]))).toEqual([
      'tests.0.expect.steps.each.items.1.status: the item has the status COMPLETED, not FAILED',
      'tests.0.expect.steps.each.items.1.with.path: the parameter has another value, which `waybill workflow run --dry-run` shows',
    ]);
  });
});

describe('a dry run of a step that runs another workflow', () => {
  const inner = workflowTemplateSchema.parse({
    name: 'inner',
    inputs: { file: {} },
    steps: [
      { name: 'pack', uses: 'gzip', with: { source: '/${{ inputs.file }}', target: '/o/${{ inputs.file }}.gz' } },
      { name: 'big', uses: 'checksum', if: 'steps.pack.outputs.size > 5', with: { source: '/o' } },
    ],
    outputs: { path: { value: '${{ steps.pack.outputs.path }}' } },
  });
  const outer = (more: object = {}, rest: object = {}) =>
    workflowTemplateSchema.parse({
      name: 'outer',
      steps: [
        { name: 'call', workflow: 'inner', with: { file: 'i' }, ...more },
        { name: 'then', uses: 'checksum', with: { source: '${{ steps.call.status }}' } },
      ],
      ...rest,
    });
  const workflows = new Map([['inner', inner]]);
  const runOuter = (template: ReturnType<typeof outer>, steps: object = {}) =>
    dryRun(template, workflowTestSchema.shape.given.parse({ steps }), { workflows });
  const shown = (run: ReturnType<typeof runOuter>) => run.steps.map(({ name, status }) => `${name} ${status}`);

  it('shows the steps of that workflow, and takes what is given for them', () => {
    const run = runOuter(outer(), { 'call/pack': { outputs: { size: '6' } } });
    expect(shown(run)).toEqual(['call COMPLETED', 'call/pack COMPLETED', 'call/big COMPLETED', 'then COMPLETED']);
    expect(run.steps[0]?.outputs).toEqual({ path: '/o/i.gz' });
    const failed = runOuter(outer(), { 'call/pack': { error: 'no room' } });
    expect([failed.message, ...shown(failed)]).toEqual([
      'no room',
      'call FAILED',
      'call/pack FAILED',
      'call/big WAITING',
      'then WAITING',
    ]);
    expect(shown(runOuter(outer(), { call: { outputs: { path: '/x' } } }))).toEqual([
      'call COMPLETED',
      'then COMPLETED',
    ]);
    expect(shown(runOuter(outer({ if: false })))).toEqual([
      'call SKIPPED',
      'call/pack WAITING',
      'call/big WAITING',
      'then COMPLETED',
    ]);
    expect(shown(runOuter(outer({ foreach: ['a', 'b'], with: { file: '${{ item }}' } })))).toContain(
      'call[1]/pack COMPLETED',
    );
  });

  it('is compared by tests, with the outputs of the workflow', () => {
    const outputs = { path: { value: '${{ steps.call.outputs.path }}' } };
    const test = {
      name: 't',
      given: {},
      expect: { outputs: { path: '/o/i.gz' }, steps: { 'call/pack': { with: { source: '/i' } } } },
    };
    const steps = [{ name: 'call', workflow: 'inner', with: { file: 'i' } }];
    const faults = (expected: object) =>
      runWorkflowTests(outer({}, { steps, outputs, tests: [{ ...test, ...expected }] }), workflows).map(({ path }) =>
        path.join('.'),
      );
    expect(faults({})).toEqual([]);
    expect(faults({ expect: { outputs: { path: '/x' }, steps: { 'call/pak': {} } } })).toEqual([
      'tests.0.expect.steps.call/pak',
      'tests.0.expect.outputs.path',
    ]);
  });
});
