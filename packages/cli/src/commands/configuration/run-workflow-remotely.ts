import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { isPlatformError, PlatformError } from '@waybill/platform-client/platform-error';
import { type Invocation, UsageError } from '../../command.ts';
import { describeDryRun, failUnlessCompleted } from '../../configuration/describe-dry-run.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption, jsonOption, textOption } from '../../platform/option-values.ts';

/** The options of a dry run, wherever it runs. */
export const dryRunOptions = {
  'dry-run': flagOption('Needed: a workflow runs by a job of its action only.'),
  path: textOption('path', 'The path of the file that the workflow is given.'),
  size: textOption('bytes', 'The size of that file.'),
  variables: textOption('json', 'Variables of the action, as a JSON object.'),
  steps: textOption('json', 'Outputs of steps that do not run, as a JSON object.'),
  now: textOption('time', 'The time at which the workflow is imagined to run (ISO 8601); now if it is left out.'),
} as const;

/** The options of a dry run on a platform. */
export const platformDryRunOptions = {
  ...platformOptions,
  vfs: textOption('name', 'The virtual file system in which the file of --path is looked up.'),
  file: textOption('template', 'A file with a workflow template that is not stored.'),
  json: jsonOption,
} as const;

/** Asks a platform what a workflow would do, and prints it. */
export async function runWorkflowRemotely(invocation: Invocation): Promise<void> {
  const { values, out, positionals } = invocation;
  requireDryRun(values);
  const [title] = positionals;
  const { file } = values;
  if (title === undefined && file === undefined) throw new UsageError('name the action, or give --file');
  const template = typeof file === 'string' ? await readTemplate(file) : undefined;
  const body = questionOf(title, template, values);
  await using client = await openPlatform(invocation, { side: 'manager' });
  const { body: answer } = await client.call(dryRunWorkflowEndpoint, { body }).catch((error: unknown) => {
    throw typeof file === 'string' ? inFile(error, file) : error;
  });
  if (values['json'] === true) out(JSON.stringify(answer));
  else {
    if (answer.file?.startsAction === false)
      out(`${answer.file.path} does not start the action: its trigger is for other files`);
    for (const line of describeDryRun(answer)) out(line);
  }
  failUnlessCompleted(answer);
}

/** @throws UsageError */
export function requireDryRun(values: Invocation['values']): void {
  if (values['dry-run'] !== true) throw new UsageError('give --dry-run: a workflow runs by a job of its action only');
}

/** The error with the name of the file in front of its lines. */
function inFile(error: unknown, file: string): unknown {
  if (!isPlatformError(error, 'configuration_invalid')) return error;
  const { message: detail, code, status, requestId } = error;
  const fields = error.fields.map(({ field, message, line, column }) => ({
    field: line === undefined ? field : `${basename(file)}:${line}:${column ?? 1}: ${field}`,
    message,
  }));
  return new PlatformError(detail, { code, status, requestId, fields, cause: error });
}

/** @throws UsageError */
async function readTemplate(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, { cause });
  }
}

/** What is run: a draft, the workflow of an action, or a stored workflow. */
function subjectOf(title: string | undefined, template: string | undefined) {
  const draft = template === undefined ? {} : { template };
  if (title === undefined) return draft;
  const slash = title.indexOf('/');
  if (slash < 0) return { workflow: title, ...draft };
  return { contract: title.slice(0, slash), action: title.slice(slash + 1), ...draft };
}

function questionOf(title: string | undefined, template: string | undefined, values: Invocation['values']) {
  const { vfs: virtualFileSystem, path, size, now } = values;
  const question = {
    ...subjectOf(title, template),
    ...(virtualFileSystem !== undefined && { virtualFileSystem }),
    ...(path !== undefined && { path }),
    ...(size !== undefined && { size: Number(size) }),
    ...(now !== undefined && { now }),
    variables: readJsonOption('variables', values['variables']),
    steps: readJsonOption('steps', values['steps']),
  };
  const parsed = dryRunWorkflowEndpoint.body.schema.safeParse(question, { error: explainSettingIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** The value of an option that is JSON; without it, an empty object. @throws UsageError */
export function readJsonOption(option: string, text: string | boolean | undefined): unknown {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new UsageError(`--${option} is not JSON`);
  }
}
