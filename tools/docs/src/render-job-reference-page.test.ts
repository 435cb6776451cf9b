import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { transitionTable } from '@waybill/job-manager/transition-table';
import { describe, expect, it } from 'vitest';
import { renderJobReferencePage } from './render-job-reference-page.ts';

describe('the job reference', () => {
  const { text } = renderJobReferencePage();

  it('has every transition with the statuses that it leads from and to', () => {
    for (const [name, { from, to }] of Object.entries(transitionTable)) {
      const sources = from.map((status) => `\`${status}\``).join(', ');
      expect(text).toContain(`| \`${name}\` | ${sources} | \`${to}\` |`);
    }
  });

  it('has every task, with a link to its page', () => {
    for (const [name, { summary }] of Object.entries(taskSpecifications)) {
      expect(text).toContain(`### \`${name}\`\n\n${summary} [Parameters, outputs and errors](tasks/${name}.md).\n`);
    }
  });
});
