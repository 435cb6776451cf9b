import { applyConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import type { PlanView } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { Command, Invocation } from '../../command.ts';
import { defaultsOption } from '../../configuration-file/read-for-platform.ts';
import { describeTotals } from '../../configuration/describe-changes.ts';
import { removalsRefused } from '../../configuration/refuse-removals.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { addressOfPlatform, announcePlatform } from '../../platform/target.ts';
import { describeCode } from './describe-code.ts';
import { planRemotely } from './plan-remotely.ts';

const planIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Applies a configuration on a platform. */
export const applyRemotelyCommand: Command = {
  summary:
    'Applies a configuration as a whole or not at all. Entities that it no longer names are removed. On a platform, the id of a plan can be given instead of a file.',
  examples: ['waybill apply platform.yaml --without-removals', 'waybill apply 0198c7a4-5d0e-4c3f-9d43-3f1f1b7a8f10'],
  arguments: { file: 'The configuration, in YAML or JSON; on a platform also the id of a plan.' },
  options: {
    'without-removals': flagOption('Applies nothing if something would be deleted, and ends with 3.'),
    ...defaultsOption,
    ...platformOptions,
  },
  run: applyRemotely,
};

/**
 * Applies the plan whose id is given, or a plan of the file, which is shown first.
 * @throws Refused with `--without-removals`
 */
async function applyRemotely(invocation: Invocation): Promise<void> {
  const { positionals, out } = invocation;
  const [given = ''] = positionals;
  await announcePlatform(invocation);
  const planId = planIdPattern.test(given) ? given : await planOf(invocation);
  const applied = await requestPlatform(invocation, applyConfigurationEndpoint, { body: { planId } });
  for (const folder of applied.foldersCreated) out(`+ folder ${folder}`);
  const url = await addressOfPlatform(invocation);
  for (const code of applied.firstPasswords) for (const line of describeCode(code, url)) out(line);
  out(
    applied.isRepeated ? 'This plan was applied before: nothing is changed.' : describeTotals(applied.counts, 'done'),
  );
}

/** The id of a plan of the file. One that changes nothing is applied, too: it ends drift, and creates missing folders. */
async function planOf(invocation: Invocation): Promise<string> {
  const plan = await planRemotely(invocation);
  if (invocation.values['without-removals'] === true) refuseRemovalsOf(plan);
  return plan.planId;
}

function refuseRemovalsOf({ changes }: PlanView): void {
  const removed = changes.filter(({ change }) => change === 'deleted');
  if (removed.length > 0) throw removalsRefused(removed.map(({ entityType, name }) => `- ${entityType} ${name}`));
}
