import { describe, expect, it } from 'vitest';
import { submitWorkflow } from './submit-workflow.ts';
import { freshJobManagers } from './test-managers.ts';

const site = freshJobManagers();

const submit = (template: object, others: readonly object[], variables: object = {}) =>
  submitWorkflow(site.platform, site.manager, template, variables, others).then(({ id }) => id);

const note = {
  name: 'note',
  uses: 'write-file',
  with: { path: '/outbox/${{ inputs.file }}.note', text: '${{ inputs.copies }}' },
};
const pack = { name: 'pack', inputs: { file: {}, copies: { type: 'integer', default: 1 } }, steps: [note] };

describe('the values of a workflow that a step runs', () => {
  it('fails if its inputs cannot be evaluated, or are not what the workflow declares', async () => {
    const inner = (file: string, copies: string) => ({ name: 'inner', workflow: 'pack', with: { file, copies } });
    const missing = await submit({ steps: [inner('${{ variables.missing }}', '1')] }, [pack]);
    expect((await site.manager.reaches(missing, 'ERROR')).statusMessage).toContain(
      "Step 'inner' failed: The expression",
    );
    const wrong = await submit({ steps: [inner('i', '${{ variables.n }}')] }, [pack], { n: 'x' });
    const failed = await site.manager.reaches(wrong, 'ERROR');
    expect(failed.statusMessage).toBe("Step 'inner' failed: copies: must be an integer");
  });

  it('fails if an output cannot be evaluated', async () => {
    const broken = {
      ...pack,
      steps: [{ ...note, if: 'false' }],
      outputs: { size: { value: '${{ steps.note.outputs.size }}' } },
    };
    const id = await submit({ steps: [{ name: 'inner', workflow: 'pack', with: { file: 'i' } }] }, [broken]);
    expect((await site.manager.reaches(id, 'ERROR')).statusMessage).toContain(
      "Step 'inner' failed: The output size: The expression",
    );
    const { name: _name, ...unnamed } = { ...broken, inputs: { ...pack.inputs, file: { default: 'i' } } };
    const alone = await submit(unnamed, []);
    expect((await site.manager.reaches(alone, 'COMPLETED')).outputs).toEqual({});
  });
});
