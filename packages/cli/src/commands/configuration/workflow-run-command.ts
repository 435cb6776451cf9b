import type { expectationVariables } from '@waybill/contracts/configuration/expectation';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isFileTrigger, type Trigger } from '@waybill/contracts/configuration/workflow-configuration';
import { type GivenRun, workflowTestSchema } from '@waybill/contracts/configuration/workflow-test';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { checkReferences } from '@waybill/directory/checks/check-document';
import { type DryAction, dryRun, type DryRun, type DryStep } from '@waybill/workflow/run/dry-run';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';

/** Shows what the workflow of an action would do. */
export const workflowRunCommand: Command = {
  summary:
    'Shows what the workflow of an action would do: the condition and the parameters of each step. Only tasks that touch nothing run, and no database is needed. `--variables` and `--steps` are JSON.',
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
    const { configuration, filled, locating } = await readConfigurationFile(file, env);
    await locating(async () => checkReferences(configuration, []));
    const { action, template, identity } = findAction(configuration, title);
    const workflows = new Map(configuration.workflowTemplates.map((one) => [one.name, one]));
    checkPath(action.trigger, values['path'] !== undefined, title);
    const given = givenBy(values, { ...action.variables, ...imaginedOutcome(action.trigger, values) });
    const hide = hiding(filled);
    for (const line of describeRun(dryRun(template, given, { action: identity, workflows }))) out(hide(line));
  },
};

function checkPath(trigger: Trigger, hasPath: boolean, title: string): void {
  const { always, sometimes } = filesOf(trigger);
  if (always && !hasPath) throw new UsageError(`give --path: files start the action ${title}`);
  if (sometimes || !hasPath) return;
  const by = trigger.type === 'Expectation' ? 'missed' : trigger.type;
  throw new UsageError(`leave out --path: the action ${title} is started by ${by}, without a file`);
}

/** Whether the jobs of an action have a file. */
function filesOf(trigger: Trigger): { always: boolean; sometimes: boolean } {
  if (trigger.type !== 'Expectation') return { always: isFileTrigger(trigger), sometimes: isFileTrigger(trigger) };
  return { always: !trigger.on.includes('missed'), sometimes: trigger.on.some((outcome) => outcome !== 'missed') };
}

/** The variables of a job that an expectation starts, of which nothing has come, or one file. */
function imaginedOutcome(trigger: Trigger, { path, now }: Invocation['values']): Readonly<Record<string, string>> {
  if (trigger.type !== 'Expectation') return {};
  return {
    expectation: trigger.expectation,
    expectationOutcome: trigger.on.find((outcome) => (outcome === 'missed') === (path === undefined)) ?? '',
    dueAt: typeof now === 'string' ? now : new Date().toISOString(),
    fileCount: path === undefined ? '0' : '1',
  } satisfies Record<(typeof expectationVariables)[number], string>;
}

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

function describeRun({ status, message, steps, outputs }: DryRun): string[] {
  return [
    ...steps.flatMap(describeStep),
    `${status}${message === '' ? '' : `: ${message}`}`,
    ...Object.entries(outputs).map(([name, value]) => `  -> ${name}: ${JSON.stringify(value)}`),
  ];
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
