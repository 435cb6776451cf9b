import { describe, expect, it } from 'vitest';
import { checkTemplate } from './check-template.ts';
import type { TemplateContext } from './template-context.ts';
import type { WrittenStep, WrittenTemplate } from './template-fault.ts';

const step = (name: string, given: Record<string, unknown>, more: Partial<WrittenStep> = {}): WrittenStep => ({
  name,
  uses: 'write-file',
  with: { path: '/a', text: '', ...given },
  ...more,
});

/** The faults as `place: message`. */
function faultsOf(template: WrittenTemplate, context: TemplateContext = {}): string[] {
  return checkTemplate(template, context).map(
    ({ path, message, index }) => `${path.join('.')}${index === undefined ? '' : `@${index}`}: ${message}`,
  );
}

/** The faults of one text in a step. */
const faultsIn = (text: unknown, context: TemplateContext = {}): string[] =>
  faultsOf({ steps: [step('one', { text })] }, context);

describe('the check of a template', () => {
  it('finds everything that is wrong at once, each with its place', () => {
    const template: WrittenTemplate = {
      inputs: { n: { type: 'integer', default: 'x', description: '' } },
      steps: [
        { name: 'zip', uses: 'gzip', with: { soruce: '/a', target: '${{ file.pth }}' } },
        step('note', { text: '${{ variables.foldr }} ${{ steps.later.outputs.path }} ${{ steps.zip.outputs.pat }}' }),
        step('later', { text: '${{ inputs.m }}', mediaType: 7 }, { if: 'file.size' }),
      ],
      finally: [step('zip', { text: '${{ error.mesage }}' })],
    };
    const noVariable = 'the action a/b has no such variable';
    expect(faultsOf(template, { variables: ['folder'], noVariable })).toEqual([
      'inputs.n.default: must be an integer',
      'finally.0.name: the step zip already exists in steps',
      'steps.0.with.target@4: there is no file.pth; did you mean path?',
      'steps.0.with.soruce: the task gzip has no parameter soruce; did you mean source?',
      'steps.0.with: the task gzip needs the parameter source',
      `steps.1.with.text@4: there is no variables.foldr: ${noVariable}; did you mean folder?`,
      'steps.1.with.text@27: there is no steps.later: the step runs later',
      'steps.1.with.text@59: there is no steps.zip.outputs.pat; did you mean path?',
      'steps.2.if: must be true or false: compare it with something',
      'steps.2.with.text@4: there is no inputs.m; did you mean n?',
      'steps.2.with.mediaType: must be a text',
      'finally.0.with.text@4: there is no error.mesage; did you mean message?',
    ]);
  });

  it.each([
    ['a text', '${{ file.name }}-${{ file.size + 1 }}', []],
    ['a lone integer for a text', '${{ file.size }}', []],
    ['a list for a text', '${{ variables.a.map(x, x) }}', []],
    ['what is asked for', "${{ has(variables.x) ? variables.x : '' }}", []],
    ['dfic, job and now', "${{ dfic.original_filename }}${{ job.id }}${{ formatTime(now, 'yyyy') }}", []],
    ['a quoted name', "${{ dfic['original_client-connection'] }}", []],
    ['an optional member', '${{ dfic.userAttrs.anything }}', []],
    ['types that do not fit', '${{ file.size + file.name }}', ['steps.0.with.text@4: no such overload: int + string']],
    ['a wrong call', '${{ file.name.upper() }}', ['steps.0.with.text@4: there is no function upper']],
    ['an error of syntax', '${{ file.size + }}', ['steps.0.with.text@15: Unexpected token: EOF']],
    [
      'an open expression',
      'a ${{ file',
      ['steps.0.with.text@10: The expression is not valid: `}}` is expected at character 11 of "a ${{ file"'],
    ],
    ['two unknown names in one expression', '${{ file.a + file.b }}', ['steps.0.with.text@4', 'steps.0.with.text@13']],
    ['the step itself', '${{ steps.one.status }}', ['steps.0.with.text@4: there is no steps.one: it is this step']],
    [
      'what only handlers know',
      '${{ error.message }}',
      ['steps.0.with.text@4: there is no error: only the steps of onError'],
    ],
    ['an unknown root', '${{ env.HOME }}', ['steps.0.with.text@4: there is no env']],
    ['a member of a text', '${{ file.name.first }}', ['steps.0.with.text@4: file.name is a text and has no first']],
    ['expressions inside a map', { a: ['${{ file.pth }}'] }, ['steps.0.with.text.a.0@4: there is no file.pth']],
  ])('%s', (_, text, expected) => {
    const faults = faultsIn(text).filter((fault) => !fault.includes('must be a text'));
    expect(faults.map((fault, index) => fault.slice(0, expected[index]?.length))).toEqual(expected);
  });

  it('says which trigger gives no file', () => {
    expect(
      faultsIn('${{ file.path }} ${{ file.size + 1 }}', {
        noFile: 'the action a/b is started by Time, without a file',
      }),
    ).toEqual([
      'steps.0.with.text@4: there is no file: the action a/b is started by Time, without a file',
      'steps.0.with.text@21: there is no file: the action a/b is started by Time, without a file',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('knows no member %s of anything', (name) => {
    for (const root of ['file', 'steps', 'inputs', 'job', 'dfic']) {
      expect(faultsIn(`\${{ ${root}.${name} }}`).join()).toContain(`there is no ${root}.${name}`);
      expect(faultsIn(`\${{ size(${root}["${name}"]) }}`).join()).toContain(`there is no ${root}.${name}`);
    }
    expect(faultsOf({ steps: [{ name: 'a', uses: name, with: {} }] })).toEqual([]);
    expect(faultsOf({ steps: [step('a', { [name]: 1 })] }).join()).toContain(`has no parameter ${name}`);
  });

  it('takes no longer than it may for a huge template', () => {
    const text = `\${{ ${Array.from({ length: 60 }, () => 'file.size').join(' + ')} }}`;
    const steps = Array.from({ length: 100 }, (_, index) =>
      step(`step-${index}`, { text: `${text} ${'${{ file.pth }}'.repeat(50)}` }),
    );
    const before = process.cpuUsage();
    expect(faultsOf({ steps, onError: steps, finally: steps })).toHaveLength(300 * 50 + 200);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(20);
  });
});
