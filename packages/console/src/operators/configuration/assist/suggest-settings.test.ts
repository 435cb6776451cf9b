import { workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { describe, expect, it } from 'vitest';
import { cursorContext } from './cursor-context.ts';
import { suggestSettings } from './suggest-settings.ts';

function suggested(marked: string): string[] {
  const context = cursorContext(marked.replace('|', ''), marked.indexOf('|'));
  return context === undefined ? [] : suggestSettings(workflowTemplateSchema, context).map(({ text }) => text);
}

describe('what can be typed into a workflow template', () => {
  it('is a setting that is not there yet', () => {
    expect(suggested('name: x\n|')).toEqual(expect.arrayContaining(['steps: ', 'onError: ', 'inputs: ']));
    expect(suggested('name: x\n|')).not.toContain('name: ');
    expect(suggested('steps:\n  - name: a\n    re|')).toEqual(['retry: ']);
  });

  it('is the name of a task, and a parameter of the task of the step', () => {
    expect(suggested('steps:\n  - name: a\n    uses: gz|')).toEqual(['gzip']);
    const parameters = suggested('steps:\n  - name: a\n    uses: gzip\n    with:\n      |');
    expect(parameters).toEqual(expect.arrayContaining(['source: ', 'target: ']));
    expect(suggested('steps:\n  - name: a\n    with:\n      |\n    uses: gzip')).toEqual(parameters);
  });

  it('is nothing where the schema knows nothing', () => {
    expect(suggested('constructor:\n  |')).toEqual([]);
    expect(suggested('steps:\n  - uses: constructor\n    with:\n      |')).toEqual([]);
  });
});
