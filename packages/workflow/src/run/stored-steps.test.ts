import { workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { describe, expect, it } from 'vitest';
import { storedSteps } from './stored-steps.ts';

const step = (name: string, given: unknown) => ({ name, uses: 'write-file', with: { path: '/a', text: given } });
const stored = (template: object) => storedSteps(workflowTemplateSchema.parse({ name: 'w', ...template }));

describe('the stored steps of a template', () => {
  it('are those of all sections, in order', () => {
    const steps = stored({ steps: [step('a', 'x')], onError: [step('b', 'x')], finally: [step('c', 'x')] });
    expect(steps.map(({ name, section }) => [name, section])).toEqual([
      ['a', undefined],
      ['b', 'onError'],
      ['c', 'finally'],
    ]);
  });

  it.each([
    ['plain', undefined],
    ["${{ file.path }} ${{ variables['two words'] }} ${{ steps.a-b.outputs.path }} ${{ job.id }}", undefined],
    ['${{ file.size + 1 }}', 2],
    ['${{ inputs.x }}', 2],
    ['${{ now }}', 2],
    ['${{ steps.a.status }}', 2],
    ["${{ 'a}}b' }}", 2],
    [7, 2],
    [['x'], 2],
  ])('are marked if a worker without computed expressions would misunderstand them: %j', (given, language) => {
    expect(stored({ steps: [step('a', given)] })[0]?.language).toBe(language);
  });
});
