import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { type GivenRun, workflowTestSchema } from '@waybill/contracts/configuration/workflow-test';
import { explainSettingIssue } from '@waybill/contracts/errors/explain-issue';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { checkReferences, faultsOfSound } from '@waybill/directory/checks/check-document';
import { dryRun } from '@waybill/workflow/run/dry-run';
import type { DryAction } from '@waybill/workflow/run/dry-source';
import { type DryTrigger, filesOfTrigger, imaginedOutcome } from '@waybill/workflow/run/imagine-trigger';
import { type Invocation, UsageError } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';
import { describeDryRun, failUnlessCompleted } from '../../configuration/describe-dry-run.ts';
import { platformDryRunOptions, readJsonOption, requireDryRun } from './run-workflow-remotely.ts';

/** Shows what the workflow of an action in a configuration file would do, without a platform. */
export async function runWorkflowOfFile({ positionals, values, env, out }: Invocation): Promise<void> {
  const [file = '', title = ''] = positionals;
  requireDryRun(values);
  refusePlatform(values);
  const { configuration, filled, locating } = await readConfigurationFile(file, env, {
    findFaults: async (sound) => faultsOfSound(sound, []),
  });
  await locating(async () => checkReferences(configuration));
  const { action, template, identity } = findAction(configuration, title);
  const workflows = new Map(configuration.workflowTemplates.map((one) => [one.name, one]));
  const { path, now } = values;
  const hasFile = path !== undefined;
  checkPath(action.trigger, hasFile, title);
  const due = typeof now === 'string' ? now : new Date().toISOString();
  const outcome = imaginedOutcome(action.trigger, { hasFile, now: due });
  const given = givenBy(values, { ...action.variables, ...outcome });
  const hide = hiding(filled);
  const shown = dryRun(template, given, { action: identity, workflows });
  for (const line of describeDryRun(shown)) out(hide(line));
  failUnlessCompleted(shown);
}

/** A file is run with what it contains: no platform is asked. @throws UsageError */
function refusePlatform(values: Invocation['values']): void {
  const name = Object.keys(platformDryRunOptions).find((option) => values[option] !== undefined);
  if (name === undefined) return;
  throw new UsageError(`leave out the file, or --${name}: with a file no platform is asked`);
}

function checkPath(trigger: DryTrigger, hasPath: boolean, title: string): void {
  const files = filesOfTrigger(trigger);
  if (files === 'always' && !hasPath) throw new UsageError(`give --path: files start the action ${title}`);
  if (files !== 'never' || !hasPath) return;
  const by = trigger.type === 'Expectation' ? 'missed' : trigger.type;
  throw new UsageError(`leave out --path: the action ${title} is started by ${by}, without a file`);
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
  const more = readJsonOption('variables', values['variables']);
  const given = {
    ...(values['path'] !== undefined && { file: values['path'] }),
    ...(values['size'] !== undefined && { size: Number(values['size']) }),
    ...(values['now'] !== undefined && { now: values['now'] }),
    variables: { ...variables, ...(typeof more === 'object' && more) },
    steps: readJsonOption('steps', values['steps']),
  };
  const parsed = workflowTestSchema.shape.given.safeParse(given, { error: explainSettingIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issue?.path.join('.').replace(/^file/u, 'path') ?? ''}: ${issue?.message ?? ''}`);
}

/** Values of the environment may be secrets. */
function hiding(filled: ReadonlySet<string>): (line: string) => string {
  const secrets = [...filled].filter((text) => text.length >= 4).toSorted((one, other) => other.length - one.length);
  return (line) => secrets.reduce((text, secret) => text.replaceAll(secret, '******'), line);
}
