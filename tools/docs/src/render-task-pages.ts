import { rightsFor, type TaskSpecification } from '@waybill/contracts/tasks/task-specification';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { permissionRefusals } from '@waybill/contracts/values/permission';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type GeneratedPage, markdownTable } from './generated-page.ts';
import { taskExamples } from './task-examples.ts';

interface ParameterDescription {
  description?: string;
  default?: unknown;
}

/** `docs/tasks/`: a page for each task of workflow steps. */
export function renderTaskPages(): GeneratedPage[] {
  return Object.entries<TaskSpecification>(taskSpecifications).map(([name, specification]) => ({
    path: `docs/tasks/${name}.md`,
    text: `# Task \`${name}\`

${specification.summary}
${exampleOf(name)}
## Parameters

${markdownTable(['Parameter', 'Required', 'Meaning'], parameterRows(specification))}
## Outputs

${outputsOf(specification)}
${errorsOf(specification)}
See [workflows](../workflows.md) for expressions, retries and timeouts, and the [error codes](../errors.md).
`,
  }));
}

function exampleOf(task: string): string {
  const example = Object.hasOwn(taskExamples, task) ? taskExamples[task] : undefined;
  if (!example) return '';
  const step = stringify([{ name: task, uses: task, with: example }], { lineWidth: 0 });
  return `
## Example

\`\`\`yaml
${step}\`\`\`
`;
}

function parameterRows({ parameters }: TaskSpecification): string[][] {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, ParameterDescription>).map(([name, described]) => [
    `\`${name}\``,
    required.includes(name) ? 'yes' : `no${defaultOf(described)}`,
    described.description ?? '',
  ]);
}

function defaultOf({ default: value }: ParameterDescription): string {
  if (value === undefined) return '';
  return `: \`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function outputsOf(specification: TaskSpecification): string {
  const rows = outputRows(specification);
  return rows.length === 0 ? 'None.\n' : markdownTable(['Output', 'Meaning'], rows);
}

function outputRows({ outputs }: TaskSpecification): string[][] {
  return Object.entries(outputs.shape).map(([name, described]) => [
    `\`${name}\``,
    described instanceof z.ZodType ? (described.description ?? '') : '',
  ]);
}

/** What is told by the rights that parameters need; what else can go wrong, the error of the step says. */
function errorsOf({ parameters }: TaskSpecification): string {
  const rows = Object.entries(parameters.shape).flatMap(([name, parameter]) =>
    rightsFor(parameter).map((right) => [
      `\`${permissionRefusals[right]}\``,
      `\`${name}\` is in another VFS, and the action does not grant \`${right}\` there`,
    ]),
  );
  if (rows.length === 0) return '';
  return `## Errors

A path may be in [another VFS](../jobs.md#files-in-other-virtual-file-systems): \`globex-files:/inbox/a.csv\`.

${markdownTable(['Code', 'When'], [...rows, ['`file_not_found`, `path_not_found`', 'A file that is read, or a folder, does not exist']])}`;
}
