import type { TaskSpecification } from '@waybill/contracts/tasks/task-specification';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import { abortableForResubmission, resubmittableFrom, transitionTable } from '@waybill/job-manager/transition-table';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** `docs/job-reference.md`: the transitions of jobs, and the tasks of steps. */
export function renderJobReferencePage(): GeneratedPage {
  return {
    path: 'docs/job-reference.md',
    text: `# Job reference

How jobs change their status, and what their steps can do. [Jobs](jobs.md) explains both.

## Transitions

Nothing else changes the status of a job.

${transitions()}
${followers()}
A job can be resubmitted as a new job from ${codes(resubmittableFrom)}; and from ${codes(abortableForResubmission)} if it is aborted first.

## Tasks

${Object.entries<TaskSpecification>(taskSpecifications).map(taskSection).join('\n')}`,
  };
}

function transitions(): string {
  const rows = Object.entries(transitionTable).map(([name, { from, to, by, meaning }]) => [
    `\`${name}\``,
    codes(from),
    codes([to]),
    by,
    meaning,
  ]);
  return markdownTable(['Transition', 'From', 'To', 'By', 'When'], rows);
}

function followers(): string {
  const rows = jobStatusSchema.options.map((status) => {
    const next = (by: 'platform' | 'user'): string => {
      const targets = Object.values(transitionTable)
        .filter((transition) => transition.by === by && transition.from.some((source) => source === status))
        .map(({ to }) => to);
      return targets.length > 0 ? codes([...new Set<string>(targets)]) : 'none';
    };
    return [codes([status]), next('platform'), next('user')];
  });
  return markdownTable(['Status', 'Next, by the platform', 'Next, by a user'], rows);
}

function taskSection([name, { summary }]: [string, TaskSpecification]) {
  return `### \`${name}\`

${summary} [Parameters, outputs and errors](tasks/${name}.md).
`;
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
