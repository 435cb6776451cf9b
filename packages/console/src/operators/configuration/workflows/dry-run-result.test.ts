import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DryRunResult } from './dry-run-result.tsx';

it('shows the statuses of a dry run in words, those of steps as badges that are not broken', () => {
  const step = { task: 'log', does: '', section: 'steps', with: {}, outputs: {}, error: '' } as const;
  const shown = renderToStaticMarkup(
    createElement(DryRunResult, {
      workflow: 'one',
      revision: 3,
      file: null,
      status: 'COMPLETED',
      message: '',
      outputs: {},
      steps: [
        { ...step, name: 'a', status: 'COMPLETED' },
        { ...step, name: 'b', status: 'FAILED' },
      ],
    }),
  );
  expect(shown).toContain('Completed, of revision 3');
  expect(shown).toContain('<span class="badge" data-status="COMPLETED">Completed</span>');
  expect(shown).toContain('<span class="badge" data-status="ERROR">Failed</span>');
  expect(shown).not.toMatch(/>[^<]*(?:COMPLETED|FAILED)/u);
});
