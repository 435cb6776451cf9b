import { taskNameSchema } from '@waybill/contracts/configuration/workflow-step';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { type GeneratedPage, markdownTable } from '../generated-page.ts';
import type { CoverageRow } from './coverage-row.ts';
import { fileCoverage } from './file-coverage.ts';
import { partnerCoverage } from './partner-coverage.ts';

/** All tests of tasks that the page names. */
export const taskCoverage: readonly CoverageRow[] = [...partnerCoverage, ...fileCoverage];

/** `docs/tasks/README.md`: the tasks, and what each was tested with. */
export function renderTaskIndex(): GeneratedPage {
  const tasks = taskNameSchema.options.map((task) => [`[\`${task}\`](${task}.md)`, taskSpecifications[task].summary]);
  const rows = taskNameSchema.options.flatMap((task) => rowsOf(task));
  return {
    path: 'docs/tasks/README.md',
    text: `# Tasks

What a step of a [workflow](../workflows.md) can do:

${markdownTable(['Task', 'What it does'], tasks)}
## What each was tested with

The counterparts are real programs, installed from Debian where it has them. \`...\` stands for the values of a table of cases.

${markdownTable(['Task', 'Counterpart', 'Tested cases', 'Where'], rows)}`,
  };
}

function rowsOf(task: CoverageRow['tasks'][number]): string[][] {
  return taskCoverage
    .filter(({ tasks }) => tasks.includes(task))
    .map(({ counterpart, file, cases }) => {
      const name = file.split('/').at(-1) ?? '';
      const shown = cases.map((one) => one.replaceAll(/%[a-z#]/gu, '...')).join('; ');
      return [`\`${task}\``, counterpart, shown, `[${name}](../../${file})`];
    });
}
