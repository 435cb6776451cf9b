import { applyConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import type { PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import { type Invocation, UsageError } from '../../command.ts';
import { describeTotals } from '../../configuration/describe-changes.ts';
import { RemovalsRefused } from '../../configuration/removals-refused.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { describeCode } from './describe-code.ts';
import { planRemotely } from './plan-remotely.ts';

const planIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/**
 * Applies on a platform: the plan whose id is given, or a plan of the file, which is shown first.
 * @throws RemovalsRefused with `--without-removals`
 */
export async function applyRemotely(invocation: Invocation): Promise<void> {
  const { positionals, values, out } = invocation;
  if (values['unless-applied'] !== undefined) throw new UsageError('--unless-applied is for a database, without --url');
  const [given = ''] = positionals;
  const planId = planIdPattern.test(given) ? given : await planOf(invocation);
  if (planId === undefined) return;
  const applied = await requestPlatform(invocation, applyConfigurationEndpoint, { body: { planId } });
  for (const folder of applied.foldersCreated) out(`+ folder ${folder}`);
  for (const code of applied.firstPasswords) for (const line of describeCode(code)) out(line);
  out(
    applied.isRepeated ? 'This plan was applied before: nothing is changed.' : describeTotals(applied.counts, 'done'),
  );
}

/** The id of a plan of the file; `undefined` if there is nothing to change. */
async function planOf(invocation: Invocation): Promise<string | undefined> {
  const plan = await planRemotely(invocation);
  if (plan.changes.length === 0) return undefined;
  if (invocation.values['without-removals'] === true) refuseRemovalsOf(plan);
  return plan.planId;
}

function refuseRemovalsOf({ changes }: PlanView): void {
  const removed = changes.filter(({ change }) => change === 'deleted');
  if (removed.length > 0) throw new RemovalsRefused(removed.map(({ entityType, name }) => `- ${entityType} ${name}`));
}
