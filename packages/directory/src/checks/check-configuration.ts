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
import type { MayExist } from './hidden-names.ts';

/**
 * The errors of a configuration of the right shape: duplicate names, dangling references, cron expressions that never fire, no
 * administrator. `mayExist`: what it may have besides.
 */
export function checkConfiguration(
  configuration: PlatformConfiguration,
  mayExist: MayExist = () => false,
): FieldError[] {
  return [
    ...checkNames(configuration),
    ...checkRoles(configuration, mayExist),
    ...checkAccountPolicies(configuration),
    ...checkActors(configuration, mayExist),
    ...checkClientConnections(configuration),
    ...checkMounts(configuration),
    ...checkPublicKeys(configuration),
    ...checkSchedules(configuration),
  ];
}
