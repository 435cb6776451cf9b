import type { Change } from './apply/change.ts';
import { type ConfigurationToRehearse, rehearseConfiguration } from './apply/rehearse-configuration.ts';

/**
 * Returns the changes that `applyConfiguration` would make.
 * @throws CodedError `configuration_invalid`, as applying it would
 */
export async function planConfiguration(options: ConfigurationToRehearse): Promise<readonly Change[]> {
  const { changes } = await rehearseConfiguration(options);
  return changes;
}
