import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** What is audited of second factors. */
export const secondFactorCatalogue = {
  managerSecondFactorDue: entry('MANAGER', 91, 'LOGIN', 'User {user} did not log into Waybill: {reason}'),
  secondFactorSet: entry('MANAGER', 92, 'MODIFY', 'User {user} has set up a second factor'),
  secondFactorRemoved: entry(
    'MANAGER',
    93,
    'MODIFY',
    'User {user} has removed the second factor of user {entityName}{reason}',
  ),
  recoveryCodesRenewed: entry('MANAGER', 94, 'MODIFY', 'User {user} has replaced the recovery codes'),
} as const satisfies Record<string, CatalogueEntry>;
