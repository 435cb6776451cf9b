import { describeWarnings } from '@waybill/configuration/document/warning';
import { planConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import type { PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { type Command, ExitCode, type Invocation } from '../../command.ts';
import { defaultsOption, readForPlatform } from '../../configuration-file/read-for-platform.ts';
import { describePlan } from '../../configuration/describe-plan.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { announcePlatform } from '../../platform/target.ts';

/** Shows what `apply` would change on a platform. */
export const planRemotelyCommand: Command = {
  summary:
    'Shows what `apply` would change, value by value, and changes nothing. The first line, on stderr, names the platform or the database.',
  examples: [
    'waybill plan platform.yaml',
    'waybill plan team.yaml --exit-code --url https://127.0.0.1:9443 --token token.txt',
  ],
  arguments: { file: 'The configuration, in YAML or JSON.' },
  options: {
    'exit-code': flagOption(
      'Ends with 2 only if there is something to change, with 0 if not, and with 1, 4 or 5 after an error.',
    ),
    ...defaultsOption,
    ...platformOptions,
  },
  run: async (invocation) => {
    await announcePlatform(invocation);
    const { planId, expiresAt, changes } = await planRemotely(invocation);
    invocation.out(`Plan ${planId}: it can be applied until ${expiresAt}.`);
    reportChanges(invocation, changes.length);
  },
};

/** Ends with exit code 2 if there are changes, with `--exit-code`. */
export function reportChanges({ values }: Pick<Invocation, 'values'>, count: number): void {
  if (values['exit-code'] === true && count > 0) throw new ExitCode(2);
}

/** Plans the file of a command on a platform, and shows the plan. */
export async function planRemotely(invocation: Invocation): Promise<PlanView> {
  const given = await readForPlatform(invocation);
  const { body } = given;
  const plan = await given.locating(() => requestPlatform(invocation, planConfigurationEndpoint, { body }));
  for (const line of describePlan(plan)) invocation.out(line);
  for (const line of describeWarnings([...given.warnings, ...plan.warnings], given.locate)) invocation.out(line);
  return plan;
}
