import { describeWarnings } from '@waybill/configuration/document/warning';
import { planConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import type { PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { Invocation } from '../../command.ts';
import { readForPlatform } from '../../configuration-file/read-for-platform.ts';
import { describePlan } from '../../configuration/describe-plan.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Whether a command is to ask a running platform instead of a database. */
export function asksPlatform({ values }: Pick<Invocation, 'values'>): boolean {
  return values['url'] !== undefined;
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
