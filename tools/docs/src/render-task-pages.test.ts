import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { checkTemplate } from '@waybill/workflow/checks/check-template';
import { describe, expect, it } from 'vitest';
import { renderTaskPages } from './render-task-pages.ts';
import { taskExamples } from './task-examples.ts';

describe('the pages of tasks', () => {
  const pages = new Map(renderTaskPages().map(({ path, text }) => [path, text]));

  it('have all parameters and outputs', () => {
    for (const [name, { summary, parameters, outputs }] of Object.entries(taskSpecifications)) {
      const text = pages.get(`docs/tasks/${name}.md`) ?? '';
      expect(text).toContain(`# Task \`${name}\`\n\n${summary}\n`);
      for (const field of [...Object.keys(parameters.shape), ...Object.keys(outputs.shape)]) {
        expect(text).toContain(`| \`${field}\` |`);
      }
    }
  });

  it.each(Object.entries(taskExamples))('have an example that is valid: %s', (uses, parameters) => {
    expect(taskSpecifications).toHaveProperty([uses]);
    expect(checkTemplate({ steps: [{ name: 'only', uses, with: parameters }] }, {})).toEqual([]);
  });
});
