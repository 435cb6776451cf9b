import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isFileTrigger } from '@waybill/contracts/configuration/workflow-configuration';
import { type GivenRun, workflowTestSchema } from '@waybill/contracts/configuration/workflow-test';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { type DryAction, dryRun, type DryRun, type DryStep } from '@waybill/workflow/run/dry-run';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { readConfigurationFile } from '../configuration-file/read-configuration-file.ts';

/** Shows what the workflow of an action would do. */
export const workflowRunCommand: Command = {
  summary:
    'Shows what the workflow of an action would do: the condition and the parameters of each step. No task runs, and no database is needed. `--variables` and `--steps` are JSON.',
  usage:
    '<file> <contract>/<action> --dry-run [--path <file path>] [--size <bytes>] [--variables <json>] [--steps <json>] [--now <time>]',
  positionals: ['file', 'action'],
  options: {
    'dry-run': { type: 'boolean' },
    path: { type: 'string' },
    size: { type: 'string' },
    variables: { type: 'string' },
    steps: { type: 'string' },
    now: { type: 'string' },
  },
  run: async ({ positionals: [file = '', title = ''], values, env, out }) => {
    if (values['dry-run'] !== true) throw new UsageError('give --dry-run: a workflow runs by a job of its action only');
    const { configuration, filled } = await readConfigurationFile(file, env);
    const { action, template, identity } = findAction(configuration, title);
    const given = givenBy(values, action.variables);
    if (isFileTrigger(action.trigger) && given.file === undefined) {
      throw new UsageError(`give --path: files start the action ${title}`);
    }
    if (!isFileTrigger(action.trigger) && given.file !== undefined) {
      throw new UsageError(
        `leave out --path: the action ${title} is started by ${action.trigger.type}, without a file`,
      );
    }
    const hide = hiding(filled);
    for (const line of describeRun(dryRun(template, given, identity))) out(hide(line));
  },
};

function findAction({ actors, workflowTemplates }: PlatformConfiguration, title: string) {
  const actions = actors.flatMap(({ name: actor, contracts }) =>
    contracts.flatMap(({ name: contract, queue, actions: ofContract }) =>
      ofContract.map((action) => ({
        action,
        identity: { actor, contract, queue, action: action.name } satisfies DryAction,
      })),
    ),
  );
  const titleOf = ({ identity: { contract, action } }: (typeof actions)[number]): string => `${contract}/${action}`;
  const found = actions.find((action) => titleOf(action) === title);
  const template = workflowTemplates.find(({ name }) => name === found?.action.workflow);
  if (!found || !template) {
    throw new UsageError(`there is no action ${title}${suggestion(title, actions.map(titleOf))}`);
  }
  return { ...found, template };
}

/** What the options give, in the form of a test's `given`. */
function givenBy(values: Invocation['values'], variables: Readonly<Record<string, unknown>>): GivenRun {
  const more = readJson('variables', values['variables']);
  const given = {
    ...(values['path'] !== undefined && { file: values['path'] }),
    ...(values['size'] !== undefined && { size: Number(values['size']) }),
    ...(values['now'] !== undefined && { now: values['now'] }),
    variables: { ...variables, ...(typeof more === 'object' && more) },
    steps: readJson('steps', values['steps']),
  };
  const parsed = workflowTestSchema.shape.given.safeParse(given, { error: explainSettingIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issue?.path.join('.').replace(/^file/u, 'path') ?? ''}: ${issue?.message ?? ''}`);
}

function readJson(option: string, text: string | boolean | undefined): unknown {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new UsageError(`--${option} is not JSON`);
  }
}

function describeRun({ status, message, steps }: DryRun): string[] {
  return [...steps.flatMap(describeStep), `${status}${message === '' ? '' : `: ${message}`}`];
}

const signs = { COMPLETED: '+', FAILED: '!', SKIPPED: '-', WAITING: ' ' } as const satisfies Record<
  DryStep['status'],
  string
>;
const words = {
  COMPLETED: 'runs',
  FAILED: 'fails',
  SKIPPED: 'is skipped',
  WAITING: 'does not run',
} as const satisfies Record<DryStep['status'], string>;

function describeStep({
  name,
  task,
  section,
  status,
  error,
  with: parameters = {},
  outputs,
  items = [],
}: DryStep): string[] {
  const where = section === 'steps' ? '' : `${section}: `;
  const lines = (title: string, values: Readonly<Record<string, unknown>>): string[] =>
    Object.entries(values).map(([key, value]) => `    ${title}${key}: ${JSON.stringify(value)}`);
  return [
    `${signs[status]} ${where}${name} (${task}) ${words[status]}${error === '' ? '' : `: ${error}`}`,
    ...lines('', parameters),
    ...lines('-> ', outputs),
    ...items.flatMap((item) => [
      `  ${signs[item.status]} ${name}[${item.index}] ${words[item.status]}${item.error === '' ? '' : `: ${item.error}`}`,
      ...lines('  ', item.with ?? {}),
      ...lines('  -> ', item.outputs),
    ]),
  ];
}

/** Values of the environment may be secrets. */
function hiding(filled: ReadonlySet<string>): (line: string) => string {
  const secrets = [...filled].filter((text) => text.length >= 4).toSorted((one, other) => other.length - one.length);
  return (line) => secrets.reduce((text, secret) => text.replaceAll(secret, '******'), line);
}
