import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { checkAccountPolicies } from './check-account-policies.ts';
import { checkActors } from './check-actors.ts';
import { checkClientConnections } from './check-client-connections.ts';
import { checkMounts } from './check-mounts.ts';
import { checkNames } from './check-names.ts';
import { checkPublicKeys } from './check-public-keys.ts';
import { checkRoles } from './check-roles.ts';
import { checkSchedules } from './check-schedules.ts';

/** The errors of a configuration of the right shape: duplicate names, dangling references, cron expressions that never fire, no administrator. */
export function checkConfiguration(configuration: PlatformConfiguration): FieldError[] {
  return [
    ...checkNames(configuration),
    ...checkRoles(configuration),
    ...checkAccountPolicies(configuration),
    ...checkActors(configuration),
    ...checkClientConnections(configuration),
    ...checkMounts(configuration),
    ...checkPublicKeys(configuration),
    ...checkSchedules(configuration),
  ];
}
