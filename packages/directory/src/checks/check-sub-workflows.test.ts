import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../parse-configuration.ts';

/** These templates; an action without a file runs the first one. */
function configurationWith(workflowTemplates: readonly { readonly name: string }[]): unknown {
  const action = { name: 'run', trigger: { type: 'OnDemand' }, vfs: 'files', workflow: workflowTemplates[0]?.name };
  return {
    manager: { name: 'manager1' },
    clusters: [{ name: 'c', servers: [{ name: 's', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'secret-of-admin', roles: ['Administrators'] }],
    workflowTemplates,
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        virtualFileSystems: [{ name: 'files' }],
        contracts: [{ name: 'orders', type: 'Mediation', actions: [action] }],
      },
    ],
  };
}

function faultsOf(templates: readonly { readonly name: string }[]): string[] {
  try {
    parseConfiguration(configurationWith(templates));
    return [];
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields.map(({ field, message }) => `${field.replace('workflowTemplates', '')}: ${message}`);
  }
}

const write = (name: string, text: unknown) => ({ name, uses: 'write-file', with: { path: '/a', text } });
const inner = {
  name: 'inner',
  inputs: { file: {}, copies: { type: 'integer', default: 1 }, names: { type: 'list', default: [] } },
  steps: [write('note', '${{ inputs.file }}')],
  outputs: {
    path: { value: '${{ steps.note.outputs.path }}' },
    count: { value: '${{ inputs.copies + 1 }}' },
    both: { value: ['${{ job.id }}'] },
  },
};
const call = (given: object, more: object = {}) => ({ name: 'call', workflow: 'inner', with: given, ...more });
const outer = (...steps: object[]) => ({ name: 'outer', steps });

describe('a step that runs another workflow', () => {
  it('is checked with its inputs, and its outputs have types for later steps', () => {
    const then = write('then', '${{ steps.call.outputs.path + string(steps.call.outputs.count + 1) }}');
    expect(faultsOf([outer(call({ file: 'a', copies: '7', names: ['x'] }), then), inner])).toEqual([]);
    const wrong = [
      call({ flie: 'a', copies: 'x', names: '${{ job.id }}' }),
      write('then', '${{ steps.call.outputs.pat }} ${{ steps.call.outputs.path + 1 }}'),
    ];
    expect(faultsOf([outer(...wrong), inner])).toEqual([
      '[0].steps[0].with.flie: the workflow inner has no input flie; did you mean file?',
      '[0].steps[0].with.copies: must be an integer',
      '[0].steps[0].with.names: must be a list, and the expression is an integer',
      '[0].steps[0].with: the workflow inner needs the input file',
      '[0].steps[1].with.text: there is no steps.call.outputs.pat; did you mean path?',
      expect.stringMatching(/^\[0\]\.steps\[1\]\.with\.text: .*(?:overload|string)/u),
    ]);
  });

  it.each([
    [{ name: 'call' }, '[0].steps[0]: uses or workflow is missing: name a task or another workflow'],
    [
      { name: 'call', workflow: 'inne' },
      '[0].steps[0].workflow: there is no workflow template inne; did you mean inner?',
    ],
    [
      { ...write('call', ''), workflow: 'inner' },
      '[0].steps[0].workflow: the step uses the task write-file: it cannot run a workflow too',
    ],
  ])('names a task or a workflow that exists: %j', (step, fault) => {
    expect(faultsOf([outer(step), inner])).toEqual([fault]);
  });

  it('is checked in the workflow that it runs for the actions that reach it', () => {
    const reading = {
      name: 'inner',
      steps: [write('note', '${{ file.path }} ${{ variables.x }} ${{ steps.call.status }}')],
    };
    expect(faultsOf([outer({ name: 'call', workflow: 'inner' }), reading])).toEqual([
      '[1].steps[0].with.text: there is no file: the action orders/run is started by OnDemand, without a file',
      expect.stringContaining(
        '[1].steps[0].with.text: there is no variables.x: a workflow that another one runs has the inputs',
      ),
      expect.stringContaining('[1].steps[0].with.text: there is no steps.call'),
    ]);
  });

  it('cannot run itself, not even through others, and not too deep or too much', () => {
    const calling = (name: string, ...called: string[]) => ({
      name,
      steps: called.map((workflow, index) => ({ name: `s${index}`, workflow })),
    });
    expect(faultsOf([calling('a', 'b'), calling('b', 'c'), calling('c', 'a'), calling('d', 'a')])).toEqual([
      '[0].steps[0].workflow: the workflow runs itself: a -> b -> c -> a',
      '[1].steps[0].workflow: the workflow runs itself: b -> c -> a -> b',
      '[2].steps[0].workflow: the workflow runs itself: c -> a -> b -> c',
    ]);
    const last = { name: 'w5', steps: [write('note', '')] };
    const chain = (length: number) => [
      ...Array.from({ length }, (_, index) => calling(`w${5 - length + index}`, `w${6 - length + index}`)),
      last,
    ];
    expect(faultsOf(chain(4))).toEqual([]);
    expect(faultsOf(chain(5))).toEqual(['[0].steps[0].workflow: workflows run each other in 6 levels; 5 are allowed']);
    const many = Array.from({ length: 100 }, (_, index) => `x${index % 2}`);
    const wide = ['x0', 'x1'].map((name) => ({ name, steps: many.map((_, index) => write(`s${index}`, '')) }));
    expect(faultsOf([calling('a', ...many.slice(0, 9)), ...wide])).toEqual([]);
    const huge = [calling('a', ...many), calling('x0', ...many.map(() => 'x1')), { ...wide[1], name: 'x1' }];
    expect(faultsOf(huge)).toContain(
      '[0].steps[0].workflow: the workflow x0 has 10100 steps with those that it runs; 999 are allowed',
    );
  });

  it('takes no longer than it may where very many ways lead around', () => {
    const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
    const templates = names.map((name) => ({
      name,
      steps: names.map((workflow, index) => ({
        name: `s${index}`,
        workflow,
        with: { x: '${{ steps.s0.outputs.y }}' },
      })),
    }));
    expect(faultsOf(templates).length).toBeGreaterThan(60);
  });

  it('with foreach runs no workflow that waits or has foreach itself', () => {
    const looping = {
      name: 'deep',
      steps: [
        { ...write('each', ''), foreach: ['a'] },
        { name: 'pause', uses: 'wait', with: { seconds: 1 } },
      ],
    };
    const between = { name: 'inner', steps: [{ name: 'down', workflow: 'deep' }] };
    expect(faultsOf([outer({ name: 'call', workflow: 'inner', foreach: ['x'] }), between, looping])).toEqual([
      '[0].steps[0].foreach: the step each of the workflow inner has foreach too: lists within lists are not possible',
      '[0].steps[0].foreach: the workflow inner waits at its step pause: the job waits as a whole, not for one item',
    ]);
    expect(faultsOf([outer({ name: 'call', workflow: 'inner' }), between, looping])).toEqual([]);
  });
});

describe('the outputs of a workflow', () => {
  it('are checked with their types', () => {
    const outputs = {
      a: { value: '${{ steps.note.outputs.pth }}' },
      b: { value: '${{ job.id }}', type: 'text' },
      c: { value: ['x'], type: 'integer' },
      d: { value: '${{ error.step }}' },
      e: { value: '${{ job.id }}', type: 'integer' },
    };
    expect(faultsOf([{ name: 'w', steps: [write('note', '')], outputs } as { name: string }])).toEqual([
      '[0].outputs.a.value: there is no steps.note.outputs.pth; did you mean path?',
      '[0].outputs.b.value: must be a text, and the expression is an integer',
      '[0].outputs.c.value: must be an integer',
      '[0].outputs.d.value: there is no error: a workflow that has failed gives no outputs',
    ]);
  });
});
