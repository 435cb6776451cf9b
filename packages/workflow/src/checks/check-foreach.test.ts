import { describe, expect, it } from 'vitest';
import { checkTemplate } from './check-template.ts';
import type { WrittenStep } from './template-fault.ts';

const write = (name: string, text: string, more: Partial<WrittenStep> = {}): WrittenStep => ({
  name,
  uses: 'write-file',
  with: { path: '/a', text },
  ...more,
});

const inputs = { names: { type: 'list', description: '' }, n: { type: 'integer', description: '' } } as const;
const faultsOf = (...steps: WrittenStep[]): string[] =>
  checkTemplate({ inputs, steps }, {}).map(
    ({ path, message, index }) => `${path.join('.')}${index === undefined ? '' : `@${index}`}: ${message}`,
  );

describe('the check of foreach', () => {
  it('accepts lists, and expressions that give one', () => {
    const text = '${{ item }} ${{ index + 1 }}';
    expect(faultsOf(write('a', text, { foreach: ['x', 'y'] }))).toEqual([]);
    expect(faultsOf(write('a', text, { foreach: '${{ inputs.names }}' }))).toEqual([]);
    expect(faultsOf(write('a', text, { foreach: { in: "file.name.split('.')", parallelism: 4 } }))).toEqual([]);
    expect(faultsOf(write('a', '${{ item.path }}', { foreach: 'variables.anything' }))).toEqual([]);
  });

  it('refuses what is no list, at its place', () => {
    expect(faultsOf(write('a', '', { foreach: 'inputs.n' }))).toEqual([
      'steps.0.foreach: must be a list of at most 10000 items, and the expression is an integer',
    ]);
    expect(faultsOf(write('a', '', { foreach: { in: '${{ file.nme }}' } }))).toEqual([
      'steps.0.foreach.in@4: there is no file.nme; did you mean name?',
    ]);
    expect(faultsOf(write('a', '', { foreach: ['${{ file.nme }}'] }))).toEqual([
      'steps.0.foreach.0@4: there is no file.nme; did you mean name?',
    ]);
  });

  it('knows the type of the items', () => {
    expect(faultsOf(write('a', '${{ item.path }}', { foreach: ['x'] }))).toEqual([
      'steps.0.with.text@4: item is a text and has no path',
    ]);
    expect(faultsOf(write('a', '${{ item + 1 }}', { foreach: "file.name.split('.')" }))).toHaveLength(1);
    // The item of another step is another one.
    expect(
      faultsOf(write('a', '${{ item + 1 }}', { foreach: [1] }), write('b', "${{ item + '' }}", { foreach: ['x'] })),
    ).toEqual([]);
  });

  it('refuses an item where there is none', () => {
    const why = 'only the parameters of a step with foreach have one';
    expect(faultsOf(write('a', '${{ item }}'), write('b', '', { if: 'index > 1', foreach: [1] }))).toEqual([
      `steps.0.with.text@4: there is no item: ${why}`,
      `steps.1.if@0: there is no index: ${why}`,
    ]);
  });

  it('gives later steps the items in place of outputs', () => {
    const first = write('a', '', { foreach: [1] });
    expect(faultsOf(first, write('b', "${{ steps.a.items.map(i, i.outputs.path).join(',') }}"))).toEqual([]);
    expect(faultsOf(first, write('b', '${{ steps.a.outputs.path }}'))).toEqual([
      'steps.1.with.text@4: there is no steps.a.outputs.path: the step runs once for each item: write steps.a.items[0].outputs',
    ]);
    expect(faultsOf(write('b', '${{ steps.b.items }}'))).toHaveLength(1);
  });
});
